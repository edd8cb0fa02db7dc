import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
import { askPage, askTotal, type Total } from '../activity/ask-page.ts'
import { type Question, writeQuestion } from '../question/question.ts'
import { type EventsRequest, MOST_AT_ONCE, PAGE_SIZE, requestOf } from '../question/request-of.ts'
import { readPlace } from './place.ts'
import type { Asked } from './use-question.ts'

/** The part of a question's answer that has arrived. */
export interface Events {
  question: Question
  records: readonly EventRecord[]
  /** The last page that was read. Undefined before the first page. */
  page?: EventPage | undefined
  /** `unknown` if the count failed. */
  total?: Total | 'unknown' | undefined
  isLoading: boolean
  error?: unknown
  /** How often the first page was read again and had changed. */
  renewals?: number
}

export interface EventsActions {
  /** Reads the next page. If the first page or the count failed, reads the first page or counts again. */
  readOn(): void
  /** Replaces what was read, unless another page than `known` has been read meanwhile. */
  renew(known: EventPage, part: Partial<Events>): void
}

/**
 * Reads a question's events page by page, and the total number of its events. If the reader returns to an earlier
 * question, shows the pages that were read before.
 */
export function useEvents({ question, isReturn }: Asked, client: EventsClient): [Events, EventsActions] {
  const [events, setEvents] = useState<Events>(() => nothingOf(question))
  const earlier = useRef(new Map<string, Events>())
  const reading = useRef(new AbortController())

  const change = useCallback((part: Partial<Events>, { signal }: AbortController) => {
    if (signal.aborted) return
    setEvents(before => ({ ...before, ...part }))
  }, [])

  const readPage = useCallback(
    async (before: Events, { controller, upTo = 0 }: { controller: AbortController; upTo?: number }) => {
      const { signal } = controller
      // The last error stays until there is an answer, so that a retry does not replace it with an empty page.
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
    },
    [client, change],
  )

  const readTotal = useCallback(
    (of: Question, controller: AbortController) => {
      change({ total: undefined }, controller)
      askTotal(requestOf(of), { client, signal: controller.signal }).then(
        total => change({ total }, controller),
        () => change({ total: 'unknown' }, controller),
      )
    },
    [client, change],
  )

  useEffect(() => {
    const controller = new AbortController()
    reading.current = controller
    const known = isReturn ? earlier.current.get(writeQuestion(question)) : undefined
    setEvents(known ? { ...known, question } : nothingOf(question))
    const upTo = isReturn ? Math.min(readPlace().shown, MOST_AGAIN) : 0
    if (!known) readPage(nothingOf(question), { controller, upTo })
    // The total is missing if the reader left the question before the total arrived.
    if (isMissing(known?.total)) readTotal(question, controller)
    return () => controller.abort()
  }, [question, isReturn, readPage, readTotal])

  useEffect(() => {
    if (events.page && !events.isLoading) earlier.current.set(writeQuestion(events.question), events)
  }, [events])

  const readOn = () => {
    const controller = reading.current
    if (events.total === 'unknown') readTotal(events.question, controller)
    readPage(events, { controller })
  }
  const renew: EventsActions['renew'] = (known, part) =>
    setEvents(before => (before.page === known ? { ...before, ...part } : before))
  return [events, { readOn, renew }]
}

const isMissing = (total: Events['total']) => total === undefined || total === 'unknown'

/** The most records that are read again if the reader returns after a reload. */
const MOST_AGAIN = 2000

/**
 * The request for the next records. After a return the request asks for as many records as were shown before, otherwise
 * for one page. The question's own limit takes precedence.
 */
function nextRequest({ question, records, page }: Events, upTo: number): EventsRequest {
  const missing = Math.min(upTo - records.length, MOST_AT_ONCE)
  const isLimited = 'limit' in question.parameters
  return requestOf(question, {
    ...(page?.next !== undefined && { cursor: page.next }),
    ...(missing > PAGE_SIZE && !isLimited && { limit: missing }),
  })
}

const nothingOf = (question: Question): Events => ({ question, records: [], isLoading: true })
