import { availableParallelism } from 'node:os'
import { median, ratios, table, withSpread } from '../recorded/statistics.ts'
import type { Measured } from './measure-rounds.ts'
import type { Service } from './queries.ts'
import type { OwnServices } from './start-own-services.ts'

interface IndexedService extends Service {
  /** The time from the start of the service until all events were indexed. */
  seconds: number
}

export interface PeerRun {
  /** The services whose table has only the chain's network. */
  one: OwnServices
  /** The services whose table has all networks. */
  all: OwnServices
  ponder: IndexedService
  embedded: IndexedService
  measured: Measured[]
  rounds: number
}

export function reportPeer(run: PeerRun): string[] {
  const { one, all, ponder, embedded, rounds } = run
  return [
    '# Beside Ponder',
    `\`npm run bench:peer\`: the same ${all.events} events of one chain, the same queries over HTTP, and the same records in the answers (which is checked), on ${availableParallelism()} cores with Node.js ${process.version}. ${rounds} interleaved rounds, with the caller in its own process. The tables show milliseconds: medians over the rounds, with the interquartile range in brackets. × PostgreSQL and × PGlite are the rounds' ratios to Ponder on that database.`,
    [
      '- One network: the table has only the network of the chain, as [costs.md](../../infra/costs.md) advises for one chain. Five networks: the table has all networks, which is the default.',
      '- `npm start`: the whole local stack: emulated gateway, functions as they are bundled for Lambda, emulated engine (dynalite).',
      '- functions: the same functions in one process over plain HTTP, with the same engine.',
      "- functions, engine replayed: the same functions, with recorded answers of the engine, so that only the functions' own share is measured, including the AWS SDK and the replaying process.",
      '- Ponder, PostgreSQL: `ponder start` with its own PostgreSQL server, in default settings, with statistics.',
      '- Ponder, PGlite: `ponder start` with its embedded database, which has no statistics.',
    ].join('\n'),
    `Indexing the chain took the service ${one.seconds.toFixed(0)} seconds with a table of one network, and ${all.seconds.toFixed(0)} with a table of five. Ponder took, counted from its start, ${ponder.seconds.toFixed(0)} seconds with PostgreSQL and ${embedded.seconds.toFixed(0)} with PGlite.`,
    'If there are fewer than 100 requests, p99 is the slowest request.',
    table(
      'query | connections | served by | p50 | p99 | p50 × PostgreSQL | p99 × PostgreSQL | p50 × PGlite | requests a round',
      wholeRows(run),
    ),
  ]
}

function wholeRows({ measured, one, all, ponder, embedded }: PeerRun): string[][] {
  return measured.map(each => {
    const baseline = sameSlot(measured, each, ponder)
    // Ponder is not measured with replayed answers, so services with replayed answers are not compared with it.
    const besidePonder = (values: number[], others: number[]) =>
      [one.replayed, all.replayed].includes(each.service) ? '–' : withSpread(ratios(values, others), 2)
    return [
      each.query.name,
      String(each.connections),
      each.service.name,
      withSpread(each.p50, 1),
      withSpread(each.p99, 1),
      besidePonder(each.p50, baseline.p50),
      besidePonder(each.p99, baseline.p99),
      besidePonder(each.p50, sameSlot(measured, each, embedded).p50),
      median(each.requests).toFixed(0),
    ]
  })
}

function sameSlot(measured: Measured[], { query, connections }: Measured, service: Service): Measured {
  const found = measured.find(
    other =>
      other.service === service && other.connections === connections && other.query.name === query.name,
  )
  if (!found) throw new Error(`${service.name} was not asked for ${query.name}`)
  return found
}
