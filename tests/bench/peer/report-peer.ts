import { availableParallelism } from 'node:os'
import { median, ratios, table, withSpread } from '../recorded/statistics.ts'
import type { Measured } from './measure-rounds.ts'
import type { Service } from './queries.ts'
import type { OwnServices } from './start-own-services.ts'

interface IndexedService extends Service {
  /** From the start of the service until all events were indexed. */
  seconds: number
}

export interface PeerRun {
  /** With a table that has only the chain's network. */
  one: OwnServices
  /** With a table that has all networks. */
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
      "- functions, engine replayed: the same functions, with recorded answers of the engine, so that only the functions' own share is measured.",
      '- Ponder, PostgreSQL: `ponder start` with its own PostgreSQL server, in default settings, with statistics.',
      '- Ponder, PGlite: `ponder start` with its embedded database, which has no statistics.',
    ].join('\n'),
    `Indexing the chain took the service ${one.seconds.toFixed(0)} seconds with a table of one network, and ${all.seconds.toFixed(0)} with a table of five. Ponder took, counted from its start, ${ponder.seconds.toFixed(0)} seconds with PostgreSQL and ${embedded.seconds.toFixed(0)} with PGlite.`,
    '## Whole',
    'If there are fewer than 100 requests, p99 is the slowest request.',
    table(
      'query | connections | served by | p50 | p99 | p50 × PostgreSQL | p99 × PostgreSQL | p50 × PGlite | requests a round',
      wholeRows(run),
    ),
    '## Shares',
    "The table shows the p50 of one connection. The whole is `npm start`. The gateway's share is the difference between the whole and the functions over plain HTTP. The engine's share is the difference between the functions over plain HTTP and the functions with recorded answers. The rest is the functions' own share, including the AWS SDK, the replaying process and plain HTTP. `Server-Timing` is the time for reading the table, as the functions of `npm start` report it.",
    table(
      'query | networks | whole | gateway | engine | functions | `Server-Timing` | engine and gateway, % | Ponder, PostgreSQL',
      [one, all].flatMap(own => shareRows(own, run)),
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

function shareRows(own: OwnServices, { measured, ponder }: PeerRun): string[][] {
  const wholes = measured.filter(({ service, connections }) => service === own.whole && connections === 1)
  return wholes.map(whole => {
    const functions = sameSlot(measured, whole, own.functions).p50
    const replayed = sameSlot(measured, whole, own.replayed).p50
    const emulated = whole.p50.map((ms, round) => ms - (replayed[round] ?? Number.NaN))
    return [
      whole.query.name,
      own.network ? 'one' : 'five',
      withSpread(whole.p50, 1),
      withSpread(differences(whole.p50, functions), 1),
      withSpread(differences(functions, replayed), 1),
      withSpread(replayed, 1),
      withSpread(whole.functionMs, 1),
      (100 * median(ratios(emulated, whole.p50))).toFixed(0),
      withSpread(sameSlot(measured, whole, ponder).p50, 1),
    ]
  })
}

const differences = (values: number[], others: number[]) =>
  values.map((value, round) => value - (others[round] ?? Number.NaN))

function sameSlot(measured: Measured[], { query, connections }: Measured, service: Service): Measured {
  const found = measured.find(
    other =>
      other.service === service && other.connections === connections && other.query.name === query.name,
  )
  if (!found) throw new Error(`${service.name} was not asked for ${query.name}`)
  return found
}
