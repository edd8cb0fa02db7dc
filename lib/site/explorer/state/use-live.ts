import { useEffect } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { loadLater } from './load-later.ts'
import type { Events, EventsActions } from './use-events.ts'

/**
 * Asks for the first page again and again if the document says that the local chain is live, so that events appear as
 * they arrive, and vanish in a reorganisation. Pauses while the reader has more than the first page. On the page of a
 * deployment nothing is asked again, because each reader would cost read units without end.
 */
export function useLive(events: Events, client: EventsClient, renew: EventsActions['renew']): void {
  const { page, records } = events
  useEffect(() => {
    if (!page || records.length > page.records.length || !document.querySelector('[data-live]'))
      return undefined
    const left = new AbortController()
    loadLater()
      .then(({ askAgain }) => askAgain(events, { client, signal: left.signal }))
      .then(part => renew(page, part))
    return () => left.abort()
  }, [page])
}
