import type { EventRecord } from '../../../lib/events/record.ts'
import { listen } from '../../support/http/listen.ts'

/** Serves events from memory in the form of the feed of changes. A page's cursor counts the events on earlier pages. */
export async function servePages(events: readonly EventRecord[]) {
  const changes = events.map(record => JSON.stringify({ change: 'added', record }))
  let end = changes.length
  const { baseUrl, stop } = await listen(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    const from = Number(searchParams.get('cursor') ?? 0)
    const told = changes.slice(from, Math.min(end, from + Number(searchParams.get('limit'))))
    response.setHeader('content-type', 'application/json')
    response.setHeader('retry-after', '1')
    response.setHeader('link', `<http://localhost/v1/changes?cursor=${from + told.length}>; rel="next"`)
    response.end(`[${told.join(',')}]`)
  })
  return {
    baseUrl,
    stop,
    tellUpTo(count: number) {
      end = count
    },
  }
}
