import type { Outcome, PreparedQuery } from './prepare-queries.ts'

export interface MeasuredTable {
  size: number
  queries: PreparedQuery[]
}

export interface Measured {
  name: string
  size: number
  outcome: Outcome
  /** One value for each round. */
  ms: number[]
}

/** Enough rounds to compile the code and fill the engines' caches. */
const WARMING_ROUNDS = 2

/** Checks every answer. The order of the queries alternates between forwards and backwards. */
export async function measureRounds(tables: readonly MeasuredTable[], rounds: number): Promise<Measured[]> {
  const names = tables[0]?.queries.map(({ name }) => name) ?? []
  const all = names.flatMap((name, at) =>
    tables.map(({ size, queries }) => ({
      query: queries[at] as PreparedQuery,
      measured: { name, size, ms: [] as number[] } as Measured,
    })),
  )
  for (let round = -WARMING_ROUNDS; round < rounds; round += 1) {
    for (const { query, measured } of round % 2 === 0 ? all : all.toReversed()) {
      const startedAt = performance.now()
      measured.outcome = await query.ask()
      const ms = performance.now() - startedAt
      query.check(measured.outcome)
      if (round >= 0) measured.ms.push(ms)
    }
  }
  return all.map(({ measured }) => measured)
}
