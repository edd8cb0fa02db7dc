import { wait } from '../../../client/send.ts'
import { requestOf } from '../question/request-of.ts'
import type { Events } from '../state/use-events.ts'
import { type Asker, askPage, askTotal } from './ask-page.ts'

const PAUSE_MS = 2000

/**
 * Reads the first page again after a pause, and returns what has changed. Unchanged records stay the same objects, so
 * that their rows are not drawn again. Even after a failure, the page is a new object, so that `useLive` polls again.
 * If more than the first page is loaded, reads nothing and returns no change, so that `useLive` pauses.
 */
export async function askAgain(
  { question, page, records, renewals = 0 }: Events,
  asker: Asker,
): Promise<Partial<Events>> {
  const request = requestOf(question)
  // After a reload or a return to this view, `page` may have more records than the first page normally has.
  if (records.length > Math.min(page?.records.length ?? 0, Number(request.query.limit))) return {}
  try {
    await wait(PAUSE_MS, asker.signal)
    const [now, total] = await Promise.all([askPage(request, asker), askTotal(request, asker)])
    const known = new Map(records.map(record => [JSON.stringify(record), record]))
    const renewed = now.records.map(record => known.get(JSON.stringify(record)) ?? record)
    const isSame =
      renewed.length === records.length && renewed.every((record, place) => record === records[place])
    return { page: now, total, ...(!isSame && { records: renewed, renewals: renewals + 1 }) }
  } catch {
    return { page: page && { ...page } }
  }
}
