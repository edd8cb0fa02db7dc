import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'
import { median, quantile } from '../recorded/report.ts'
import type { Slot } from './generate-load.ts'
import type { Query, Service } from './queries.ts'
import type { Add } from './start-own-services.ts'

const GENERATE = fileURLToPath(new URL('./generate-load.ts', import.meta.url))

export type Measured = ReturnType<typeof measured>

const CONNECTIONS = [1, 16]
const SLOT_MS = 650
/** After these rounds all code is compiled, and each connection has a worker. */
const WARMING_ROUNDS = 2

/** The order alternates between forwards and backwards, so that all services see the same conditions. */
export async function measureRounds(
  asked: { service: Service; queries: Query[] }[],
  { rounds, add }: { rounds: number; add: Add },
): Promise<Measured[]> {
  const { child, message } = add(forkPart(GENERATE, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  const all = (asked[0]?.queries ?? []).flatMap((_, at) =>
    CONNECTIONS.flatMap(connections =>
      asked.map(({ service, queries }) => measured(service, queries[at] as Query, connections)),
    ),
  )
  for (let round = -WARMING_ROUNDS; round < rounds; round += 1) {
    for (const each of round % 2 === 0 ? all : all.toReversed()) {
      const { connections, query } = each
      child.send({ url: query.url, connections, slotMs: SLOT_MS } satisfies Slot)
      const durations = await message<number[]>()
      if (round < 0) continue
      each.requests.push(durations.length)
      each.p50.push(median(durations))
      each.p99.push(quantile(durations, 0.99))
    }
  }
  return all
}

/** One query to one service on a number of connections. Each array has a value for each round. */
const measured = (service: Service, query: Query, connections: number) => ({
  ...{ service, query, connections, requests: [] as number[] },
  /** Latencies in milliseconds. */
  ...{ p50: [] as number[], p99: [] as number[] },
})
