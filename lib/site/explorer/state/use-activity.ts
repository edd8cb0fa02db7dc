import { useEffect, useMemo, useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { type Activity, activityOf, isReadable, readActivity } from '../activity/read-activity.ts'
import { loadLater } from './load-later.ts'
import type { Events } from './use-events.ts'

export interface ActivityState {
  /** Absent while the events are being counted, and if no chart can be drawn. */
  activity?: Activity | undefined
  isReading: boolean
  error?: unknown
}

/**
 * If all events are loaded, counts them. Otherwise, waits for the total, and then reads all events or requests counts.
 */
export function useActivity(events: Events, client: EventsClient): ActivityState {
  const { question, page, records, total, renewals } = events
  const [state, setState] = useState<ActivityState>({ isReading: true })
  const isWhole = hasAll(events)
  const known = useMemo(
    () => (isWhole ? { activity: activityOf(records), isReading: false } : undefined),
    [question, isWhole, renewals],
  )
  const isCountable = !isWhole && page !== undefined && total !== undefined
  // The chart is updated only if the first page changes. The old chart then stays until the new counts arrive.
  useEffect(() => {
    if (!renewals) setState({ isReading: true })
    if (!isCountable) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const reading =
      total === 'unknown'
        ? Promise.reject(new Error('The events could not be counted'))
        : isReadable(total)
          ? readActivity(question, { client, signal })
          : loadLater().then(({ countActivity }) => countActivity(question, { total, client, signal }))
    reading.then(
      activity => !signal.aborted && setState({ activity, isReading: false }),
      error => !signal.aborted && setState({ error, isReading: false }),
    )
    return () => controller.abort()
  }, [question, isCountable, renewals])
  return known ?? state
}

/** Whether the loaded events are all events of the question, which is false if `skip` omits the first events. */
export const hasAll = ({ question: { parameters }, page }: Events): boolean =>
  page !== undefined && page.next === undefined && !('skip' in parameters)
