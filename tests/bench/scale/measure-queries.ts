import type { EventRecord } from '../../../lib/events/record.ts'
import { answerChanges } from '../../../lib/feed/answer-changes.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import { readRequest } from '../../../lib/kit/read-request.ts'
import { MAX_COUNT } from '../../../lib/query/budget.ts'
import type { Total } from '../../../lib/query/count-matches.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import type { GivenParameters } from '../../../lib/query/read-parameters.ts'
import type { RequestCost } from '../../../lib/query/request-cost.ts'
import { chargedStores, type FeedBench } from '../cost/measure-changes.ts'
import { answerExactly, expectedRecords, goOnAfter } from '../cost/measure-shape.ts'
import { queriesOf, type ScaleQuery } from './queries.ts'

export interface Measured {
  name: string
  returned: number
  isPartial: boolean
  total?: Total | undefined
  cost: RequestCost
}

/** Throws if an answer differs from the oracle's answer. */
export async function measureQueries(bench: FeedBench, records: readonly EventRecord[]): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const query of queriesOf(records)) measured.push(await measureQuery(query, bench, records))
  return [...measured, await measureTurn(bench)]
}

async function measureQuery(
  { name, request, behind }: ScaleQuery,
  bench: FeedBench,
  records: readonly EventRecord[],
): Promise<Measured> {
  const asked = readRequest(request)
  const { start } = parseQuery(asked)
  const input = behind === undefined ? asked : await goOnAfter(behind, asked, bench)
  const expected = expectedRecords(asked, records)
  const answer = await answerExactly({ name, input, from: behind ?? start.skip, expected }, bench)
  const { isPartial, total, cost } = answer
  const isCounted = asked.parameters.some(([parameter]) => parameter === 'count')
  const isTotalRight = isCounted ? total && isRightTotal(total, expected.length) : total === undefined
  if (!isTotalRight) throw new Error(`A wrong total of “${name}”: ${JSON.stringify(total)}`)
  return { name, returned: answer.records.length, isPartial, total, cost }
}

const isRightTotal = ({ count, isExact }: Total, expected: number) =>
  count === Math.min(expected, MAX_COUNT) && isExact === expected <= MAX_COUNT

async function measureTurn(bench: FeedBench): Promise<Measured> {
  const stores = chargedStores(bench)
  const turn = (parameters: GivenParameters) => answerChanges(parseChanges({ parameters }), stores)
  const { next } = await turn([])
  const { changes, isPartial, isUpToDate, cost } = await turn([['cursor', next]])
  if (changes.length > 0 || isPartial || !isUpToDate) throw new Error('The feed of changes has something new')
  return { name: 'the feed of changes, with nothing new', returned: 0, isPartial, cost }
}
