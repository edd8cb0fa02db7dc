import type { Outcome, PreparedQuery } from './prepare-queries.ts'

export interface MeasuredTable {
  size: number
  queries: PreparedQuery[]
}

/** A query to a table of one size. */
export interface Measured {
  name: string
  size: number
  outcome: Outcome
  /** The milliseconds of each round. */
  ms: number[]
}

/** The number of warm-up rounds. They last until code is compiled and the engines' caches are filled. */
const WARMING_ROUNDS = 2

/**
 * Sends every query once a round to the tables of all sizes, and checks every answer. The order alternates between
 * forwards and backwards.
 */
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
