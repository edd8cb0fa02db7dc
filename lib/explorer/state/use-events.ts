import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { EventPage, EventsClient } from '../../client/create-events-client.ts'
import type { EventRecord } from '../../client/records.ts'
import { askPage, askTotal, type Total } from '../activity/ask-page.ts'
import { type Question, writeQuestion } from '../question/question.ts'
import { requestOf } from '../question/request-of.ts'
import type { Asked } from './use-question.ts'

/** What is known of the answer to a question. */
export interface Events {
  question: Question
  records: readonly EventRecord[]
  /** The last page read; undefined until there is one. */
  page?: EventPage | undefined
  /** `unknown` where it could not be counted. */
  total?: Total | 'unknown' | undefined
  isLoading: boolean
  error?: unknown
}

export interface EventsActions {
  /** Reads the page after the last one, or the first one again. */
  readOn(): void
}

/**
 * Reads the events of a question, page by page, and how many there are. Where the reader comes back to a question, all
 * that had been read of it is there again.
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
    async (before: Events, controller: AbortController) => {
      const cursor = before.page?.next
      const asked = requestOf(before.question, cursor === undefined ? {} : { cursor })
      change({ isLoading: true, error: undefined }, controller)
      try {
        const page = await askPage(asked, { client, signal: controller.signal })
        change({ page, records: [...before.records, ...page.records], isLoading: false }, controller)
      } catch (error) {
        change({ error, isLoading: false }, controller)
      }
    },
    [client, change],
  )

  useEffect(() => {
    const controller = new AbortController()
    reading.current = controller
    const known = isReturn ? earlier.current.get(writeQuestion(question)) : undefined
    setEvents(known ?? nothingOf(question))
    if (!known) readPage(nothingOf(question), controller)
    // The reader may have gone before it was there.
    if (known?.total === undefined) {
      askTotal(requestOf(question), { client, signal: controller.signal }).then(
        total => change({ total }, controller),
        () => change({ total: 'unknown' }, controller),
      )
    }
    return () => controller.abort()
  }, [question, isReturn, client, readPage, change])

  useEffect(() => {
    if (events.page && !events.isLoading) earlier.current.set(writeQuestion(events.question), events)
  }, [events])

  return [events, { readOn: () => readPage(events, reading.current) }]
}

const nothingOf = (question: Question): Events => ({ question, records: [], isLoading: true })
