import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
import { askPage, askTotal, type Total } from '../activity/ask-page.ts'
import { type Question, writeQuestion } from '../question/question.ts'
import { type EventsRequest, MOST_AT_ONCE, PAGE_SIZE, requestOf } from '../question/request-of.ts'
import { readPlace } from './place.ts'
import type { Asked } from './use-question.ts'

export interface Events {
  question: Question
  records: readonly EventRecord[]
  /** The last page that was read. Undefined before the first page. */
  page?: EventPage | undefined
  /** `unknown` if the count failed. */
  total?: Total | 'unknown' | undefined
  isLoading: boolean
  error?: unknown
  /** The number of repeated reads that found a change in the first page. */
  renewals?: number
}

export interface EventsActions {
  /** Reads the next page, and counts again if the count failed. If the first page failed, starts over. */
  readOn(): void
  /** Replaces the fields in `part`. Does nothing if a page other than `known` was read in the meantime. */
  renew(known: EventPage, part: Partial<Events>): void
}

/** If the reader returns to an earlier question, shows the pages that were read before. */
export function useEvents({ question, isReturn }: Asked, client: EventsClient): [Events, EventsActions] {
  const [events, setEvents] = useState<Events>(() => nothingOf(question))
  const earlier = useRef(new Map<string, Events>())
  const reading = useRef(new AbortController())

  const change = (part: Partial<Events>, { signal }: AbortController) => {
    if (!signal.aborted) setEvents(before => ({ ...before, ...part }))
  }

  const readPage = async (before: Events, controller: AbortController, upTo = 0) => {
    const { signal } = controller
    // The last error stays until a response arrives, so that a retry does not replace it with an empty page.
    change({ isLoading: true }, controller)
    try {
      let [{ records }, page] = [before, before.page]
      do {
        page = await askPage(nextRequest({ ...before, records, page }, upTo), { client, signal })
        records = [...records, ...page.records]
        change({ page, records }, controller)
      } while (records.length < upTo && page.next !== undefined)
      change({ isLoading: false, error: undefined }, controller)
    } catch (error) {
      change({ error, isLoading: false }, controller)
    }
  }

  const readTotal = (of: Question, controller: AbortController) => {
    change({ total: undefined }, controller)
    askTotal(requestOf(of), { client, signal: controller.signal }).then(
      total => change({ total }, controller),
      () => change({ total: 'unknown' }, controller),
    )
  }

  // Aborts reads in progress, because the client may still be retrying the count when the first page has failed.
  const start = (known?: Events) => {
    reading.current.abort()
    const controller = new AbortController()
    reading.current = controller
    const upTo = isReturn ? Math.min(readPlace().shown, MOST_AGAIN) : 0
    if (!known) readPage(nothingOf(question), controller, upTo)
    // The total is missing if the count failed, or if the reader moved on to another question before the total arrived.
    if (typeof known?.total !== 'object') readTotal(question, controller)
  }

  useEffect(() => {
    const known = isReturn ? earlier.current.get(writeQuestion(question)) : undefined
    setEvents(known ? { ...known, question } : nothingOf(question))
    start(known)
    return () => reading.current.abort()
  }, [question, isReturn, client])

  useEffect(() => {
    if (events.page && !events.isLoading) earlier.current.set(writeQuestion(events.question), events)
  }, [events])

  const readOn = () => {
    if (!events.page) return start()
    if (events.total === 'unknown') readTotal(events.question, reading.current)
    readPage(events, reading.current)
  }
  const renew: EventsActions['renew'] = (known, part) =>
    setEvents(before => (before.page === known ? { ...before, ...part } : before))
  return [events, { readOn, renew }]
}

/** The maximum number of records to read again if the reader returns after a reload. */
const MOST_AGAIN = 2000

/** On a return to a view, requests as many records as were shown. The question's own limit takes precedence. */
function nextRequest({ question, records, page }: Events, upTo: number): EventsRequest {
  const missing = Math.min(upTo - records.length, MOST_AT_ONCE)
  const isLimited = 'limit' in question.parameters
  return requestOf(question, {
    ...(page?.next !== undefined && { cursor: page.next }),
    ...(missing > PAGE_SIZE && !isLimited && { limit: missing }),
  })
}

const nothingOf = (question: Question): Events => ({ question, records: [], isLoading: true })
