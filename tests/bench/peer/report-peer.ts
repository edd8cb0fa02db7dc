import { availableParallelism } from 'node:os'
import { median, ratios, table, withSpread } from '../recorded/report.ts'
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
    '# Speed compared with Ponder',
    `\`npm run bench:peer\` indexes the same ${all.events} events of one chain with this service and with [Ponder](https://ponder.sh), and sends the same queries to both over HTTP, on ${availableParallelism()} cores with Node.js ${process.version}. The benchmark checks that all answers to a query have the same records. The table shows latencies in milliseconds: medians of ${rounds} rounds and, in brackets, interquartile ranges. In each round and for each row, a client in its own process repeats the query for the same time, on 1 or 16 connections. *p50* is the median latency of a round, and 99 of 100 requests take no longer than *p99*. If a round has fewer than 100 requests, p99 is the slowest request. The columns with ÷ divide a latency by Ponder's latency in the same round, on PostgreSQL or on PGlite.`,
    [
      "- **one network**: the service's table is only for the chain's network, as [costs.md](../../infra/costs.md) advises for one chain. With **five networks**, the table is for all networks, which is the default.",
      "- **`npm start`**: the service's whole local stack, which has an emulated gateway, the functions as they are bundled for Lambda, and dynalite, which emulates DynamoDB.",
      '- **functions**: the same functions in one process over plain HTTP, without the gateway, on the same dynalite.',
      "- **functions, replayed responses**: the same functions, but another process replays dynalite's recorded responses. These times show the functions' own share, including the AWS SDK and the replaying process.",
      '- **Ponder, PostgreSQL**: `ponder start` on a PostgreSQL server with default settings, after the server has gathered statistics.',
      '- **Ponder, PGlite**: `ponder start` on its embedded database, which gathers no statistics.',
    ].join('\n'),
    `Indexing the chain took this service ${one.seconds.toFixed(0)} seconds with a table for one network, and ${all.seconds.toFixed(0)} seconds with a table for five. Ponder took ${ponder.seconds.toFixed(0)} seconds on PostgreSQL and ${embedded.seconds.toFixed(0)} seconds on PGlite, counted from its start.`,
    table(
      'query | connections | answered by | p50, ms | p99, ms | p50 ÷ Ponder on PostgreSQL | p99 ÷ Ponder on PostgreSQL | p50 ÷ Ponder on PGlite | requests per round',
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
