import { type AnswerOptions, answerQuery } from '../../../lib/query/answer-query.ts'
import { type ApiRequest, withoutParameters } from '../requests/api-request.ts'
import { queryInputOf } from './query-input-of.ts'

const MAX_PAGES = 3_000

export async function walkAnswers(request: ApiRequest, optionsOfPage: () => AnswerOptions) {
  const pages = [await answerQuery(queryInputOf(request), optionsOfPage())]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    if (pages.length > MAX_PAGES) throw new Error(`More than ${MAX_PAGES} pages`)
    pages.push(await answerQuery(queryInputOf(resumedAt(request, next)), optionsOfPage()))
  }
  return pages
}

export const resumedAt = (request: ApiRequest, cursor: string): ApiRequest => ({
  ...request,
  query: [...withoutParameters(request.query, 'skip'), ['cursor', cursor]],
})
