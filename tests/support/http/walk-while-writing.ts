import type { EventRecord } from '../../../lib/events/record.ts'
import { validAnswer } from '../oracle/valid-answer.ts'
import { type ApiRequest, requestOfUrl, skipOf } from '../requests/api-request.ts'
import { nextUrl } from './ask.ts'
import type { ServedEvents } from './serve-events.ts'
import { eventsOf } from './walk.ts'

const PAGES = 12

/** Adds a limit that splits the request's current matches into about `PAGES` pages. */
export function paged(records: readonly EventRecord[], request: ApiRequest): ApiRequest {
  const limit = Math.max(1, Math.ceil(idsOf(records, request).length / PAGES))
  return { ...request, query: [...request.query, ['limit', String(limit)]] }
}

/**
 * Reads one page of each request in every round. Each round also writes a batch, alternately before and during its
 * reads.
 */
export async function walkWhileWriting(
  served: Pick<ServedEvents, 'ask' | 'write'>,
  requests: readonly ApiRequest[],
  batches: readonly EventRecord[][],
): Promise<EventRecord[][]> {
  const walks = requests.map(request => ({
    next: request as ApiRequest | undefined,
    events: [] as EventRecord[],
  }))
  const readPages = () =>
    Promise.all(
      walks.map(async walk => {
        if (walk.next === undefined) return
        const page = await served.ask(walk.next, 'http-api')
        walk.events.push(...eventsOf(page))
        const url = nextUrl(page)
        walk.next = url === undefined ? undefined : requestOfUrl(url)
      }),
    )
  await readPages()
  for (let round = 0; walks.some(({ next }) => next !== undefined); round++) {
    const batch = batches[round] ?? []
    if (round % 2 === 0) await served.write(batch)
    await Promise.all([round % 2 === 0 ? undefined : served.write(batch), readPages()])
  }
  return walks.map(({ events }) => events)
}

interface Written {
  initial: readonly EventRecord[]
  everything: readonly EventRecord[]
}

/**
 * The records of a walk must be in order, and must not include those that the request skips. Each matching record that
 * existed at the start must occur exactly once, and every other record at most once.
 */
export function expectWalk(
  walked: readonly EventRecord[],
  request: ApiRequest,
  { initial, everything }: Written,
) {
  const ids = walked.map(({ id }) => id)
  const readable = idsOf(initial, request)

  expect(ids).toEqual([...new Set(ids)])
  expect(readable.slice(skipOf(request)).filter(id => !ids.includes(id))).toEqual([])
  expect(ids).toEqual(idsOf(everything, request).filter(id => ids.includes(id)))
  expect(readable.slice(0, skipOf(request)).filter(id => ids.includes(id))).toEqual([])
}

const idsOf = (records: readonly EventRecord[], request: ApiRequest): string[] =>
  validAnswer(records, request).all.map(({ id }) => id)
