import type { EventRecord } from '../../../lib/events/record.ts'
import { linesIn } from '../oracle/check-contract.ts'
import { type ApiRequest, requestOfUrl } from '../requests/api-request.ts'
import { type HttpAnswer, nextUrl } from './ask.ts'
import type { Format } from './http-events.ts'
import type { ServedEvents } from './serve-events.ts'

export function eventsOf(page: HttpAnswer): EventRecord[] {
  if (page.status !== 200 || !Array.isArray(page.body)) throw new Error(`${page.status}: ${page.text}`)
  return page.body
}

export const linesOf = ({ text }: HttpAnswer) => linesIn(text) as EventRecord[]

const MAX_PAGES = 5_000

export async function walkByLink(
  served: Pick<ServedEvents, 'ask'>,
  request: ApiRequest,
  { format }: { format: Format },
): Promise<HttpAnswer[]> {
  const pages = [await served.ask(request, format)]
  for (let url = nextUrl(pages[0] as HttpAnswer); url !== undefined; ) {
    if (pages.length > MAX_PAGES)
      throw new Error(`More than ${MAX_PAGES} pages of ${JSON.stringify(request)}`)
    const page = await served.ask(requestOfUrl(url), format)
    pages.push(page)
    if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`)
    url = nextUrl(page)
  }
  return pages
}
