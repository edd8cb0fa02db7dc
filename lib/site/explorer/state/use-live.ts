import { useEffect } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { loadLater } from './load-later.ts'
import type { Events, EventsActions } from './use-events.ts'

interface LiveOptions extends Pick<EventsActions, 'renew'> {
  client: EventsClient
  /** Whether events of a local chain may be shown. */
  isLocal: boolean
}

/**
 * Asks for the first page again and again while a local chain is indexed, so that its events appear as they arrive, and
 * vanish in a reorganisation. Pauses while the reader has more than the first page. On the page of a deployment nothing
 * is asked again, because each reader would cost read units without end.
 */
export function useLive(events: Events, { client, isLocal, renew }: LiveOptions): void {
  const { page, records, isLoading } = events
  useEffect(() => {
    if (!isLocal || !page?.indexedThrough || isLoading || records.length > page.records.length)
      return undefined
    const left = new AbortController()
    loadLater()
      .then(({ askAgain }) => askAgain(events, { client, signal: left.signal }))
      .then(part => renew(page, part))
    return () => left.abort()
  }, [page, isLoading])
}
