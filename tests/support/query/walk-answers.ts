import { type Answer, type AnswerOptions, answerQuery } from '../../../lib/query/answer-query.ts'
import { type ApiRequest, withoutParameters } from '../requests/api-request.ts'
import { queryInputOf } from './query-input-of.ts'

const MAX_PAGES = 3_000

/** Every page of the query layer's answer from this request on, as cursors lead. */
export async function walkAnswers(request: ApiRequest, options: AnswerOptions): Promise<Answer[]> {
  const pages = [await answerQuery(queryInputOf(request), options)]
  const query = withoutParameters(request.query, 'skip')
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    if (pages.length > MAX_PAGES) throw new Error(`More than ${MAX_PAGES} pages`)
    pages.push(await answerQuery(queryInputOf({ ...request, query: [...query, ['cursor', next]] }), options))
  }
  return pages
}
