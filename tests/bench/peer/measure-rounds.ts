import { median, quantile } from '../recorded/statistics.ts'
import type { LoadGenerator, SlotResult } from './load-generator.ts'
import type { Query, Service } from './queries.ts'

/** A query to a service on so many connections, measured once a round. */
export interface Measured {
  service: Service
  query: Query
  connections: number
  /** Of each round. */
  requests: number[]
  /** Of each round, in milliseconds. */
  p50: number[]
  p99: number[]
  /** Medians of what `Server-Timing` says; empty where nothing says it. */
  functionMs: number[]
}

const CONNECTIONS = [1, 16]
const SLOT_MS = 650
/** Until code is compiled and as many workers run as there are connections. */
const WARMING_ROUNDS = 2

/** Measures everything once a round, forwards and backwards in turn, the services side by side. */
export async function measureRounds(
  asked: { service: Service; queries: Query[] }[],
  { rounds, generator }: { rounds: number; generator: LoadGenerator },
): Promise<Measured[]> {
  const all = (asked[0]?.queries ?? []).flatMap((_, at) =>
    CONNECTIONS.flatMap(connections =>
      asked.map(({ service, queries }) => measured(service, queries[at] as Query, connections)),
    ),
  )
  for (let round = -WARMING_ROUNDS; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? all : all.toReversed()) {
      const { connections, query } = each
      const result = await generator.run({ url: query.url, connections, slotMs: SLOT_MS })
      if (round >= 0) note(each, result)
    }
  }
  return all
}

const measured = (service: Service, query: Query, connections: number): Measured => ({
  service,
  query,
  connections,
  requests: [],
  p50: [],
  p99: [],
  functionMs: [],
})

function note({ requests, p50, p99, functionMs }: Measured, result: SlotResult) {
  requests.push(result.durations.length)
  p50.push(median(result.durations))
  p99.push(quantile(result.durations, 0.99))
  if (result.functionMs.length > 0) functionMs.push(median(result.functionMs))
}
