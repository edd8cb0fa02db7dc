import { isDeepStrictEqual } from 'node:util'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerChanges } from '../../../lib/feed/answer-changes.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import { readRequest } from '../../../lib/kit/read-request.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { MAX_COUNT } from '../../../lib/query/budget.ts'
import type { Total } from '../../../lib/query/count-matches.ts'
import { parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'
import type { GivenParameters } from '../../../lib/query/read-parameters.ts'
import type { RequestCost } from '../../../lib/query/request-cost.ts'
import { chargedStores, type FeedBench } from '../cost/measure-changes.ts'
import { expectedRecords, NO_LIMITS } from '../cost/measure-shape.ts'
import { queriesOf, type ScaleQuery } from './queries.ts'

export interface Outcome {
  ids: string[]
  hasNext: boolean
  isPartial: boolean
  total?: Total | undefined
  cost: RequestCost
}

export interface PreparedQuery {
  name: string
  ask: () => Promise<Outcome>
  /** Throws `WrongAnswerError` if the answer differs from the oracle's answer. */
  check: (outcome: Outcome) => void
}

class WrongAnswerError extends Error {
  constructor(name: string, outcome: Outcome) {
    super(`A wrong answer to “${name}”: ${JSON.stringify(outcome)}`)
  }
}

export async function prepareQueries(bench: FeedBench, records: readonly EventRecord[]) {
  const prepared: PreparedQuery[] = []
  for (const query of queriesOf(records)) prepared.push(await prepareQuery(query, bench, records))
  return [...prepared, await prepareTurn(bench)]
}

async function prepareQuery(
  { name, request, behind }: ScaleQuery,
  bench: FeedBench,
  records: readonly EventRecord[],
): Promise<PreparedQuery> {
  const asked = readRequest(request)
  const { skip, limit } = parseQuery(asked).start
  const input = behind === undefined ? asked : await goneOnBehind(behind, asked, bench)
  const all = expectedRecords(asked, records)
  const from = behind ?? skip
  const expected = { ids: all.slice(from, from + limit).map(({ id }) => id), count: all.length }
  const hasNext = all.length > from + limit
  const isCounted = asked.parameters.some(([parameter]) => parameter === 'count')
  return {
    name,
    ask: async () => {
      const { records, next, isPartial, total, cost } = await answerQuery(input, { store: bench.store })
      return { ids: records.map(({ id }) => id), hasNext: next !== undefined, isPartial, total, cost }
    },
    check(outcome) {
      const { ids, isPartial, total } = outcome
      const isPage = isDeepStrictEqual(ids, isPartial ? expected.ids.slice(0, ids.length) : expected.ids)
      const isEndRight = outcome.hasNext === (isPartial || hasNext)
      const isTotalRight = isCounted ? total && isRightTotal(total, expected.count) : total === undefined
      if (!isPage || !isEndRight || !isTotalRight) throw new WrongAnswerError(name, outcome)
    },
  }
}

/** Adds the cursor that continues after this many records. */
async function goneOnBehind(records: number, input: QueryInput, { store }: FeedBench): Promise<QueryInput> {
  const before: GivenParameters = [
    ['skip', String(records - 1)],
    ['limit', '1'],
  ]
  const skipping = { ...input, parameters: [...input.parameters, ...before] }
  const { next = '' } = await answerQuery(skipping, { store, limits: NO_LIMITS })
  return { ...input, parameters: [...input.parameters, ['cursor', next]] }
}

const isRightTotal = ({ count, isExact }: Total, expected: number) =>
  count === Math.min(expected, MAX_COUNT) && isExact === expected <= MAX_COUNT

async function prepareTurn(bench: FeedBench): Promise<PreparedQuery> {
  const name = 'changes: nothing new'
  const stores = chargedStores(bench)
  const turn = (parameters: GivenParameters) => answerChanges(parseChanges({ parameters }), stores)
  const { next } = await turn([])
  return {
    name,
    ask: async () => {
      const { changes, isPartial, isUpToDate, cost } = await turn([['cursor', next]])
      return { ids: changes.map(({ record }) => record.id), hasNext: !isUpToDate, isPartial, cost }
    },
    check(outcome) {
      if (outcome.ids.length > 0 || outcome.isPartial || outcome.hasNext)
        throw new WrongAnswerError(name, outcome)
    },
  }
}
