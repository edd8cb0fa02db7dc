import { useEffect, useState } from 'preact/hooks'
import type { EventsClient } from '../../client/create-events-client.ts'
import { type Activity, activityOf, readActivity } from '../activity/read-activity.ts'
import type { Events } from './use-events.ts'

export interface ActivityState {
  /** Absent where there is nothing to draw. */
  activity?: Activity | undefined
  isReading: boolean
  error?: unknown
}

/** Counts the events of the question over time, once the first page and the total are there. */
export function useActivity({ question, page, records, total }: Events, client: EventsClient): ActivityState {
  const [state, setState] = useState<ActivityState>({ isReading: true })
  const isKnown = page !== undefined && total !== undefined
  // What is read later changes nothing.
  useEffect(() => {
    setState({ isReading: true })
    if (!isKnown) return undefined
    if (total === 'unknown') {
      setState({ isReading: false, error: total })
      return undefined
    }
    if (records.length === total.count && total.isExact) {
      setState({ activity: activityOf(records), isReading: false })
      return undefined
    }
    const controller = new AbortController()
    const { signal } = controller
    readActivity(question, { total, client, signal }).then(
      activity => !signal.aborted && setState({ activity, isReading: false }),
      error => !signal.aborted && setState({ error, isReading: false }),
    )
    return () => controller.abort()
  }, [question, isKnown])
  return state
}
