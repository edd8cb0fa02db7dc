import { useEffect } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { loadLater } from './load-later.ts'
import type { Events, EventsActions } from './use-events.ts'

/**
 * Polls the first page on a live local chain, for new events and for events that a reorganisation removes. Pauses while
 * more than the first page is loaded. Never polls in a deployment, because every open page would use read units.
 */
export function useLive(events: Events, client: EventsClient, renew: EventsActions['renew']): void {
  const { page } = events
  useEffect(() => {
    if (!page || !document.querySelector('[data-live]')) return undefined
    const left = new AbortController()
    loadLater()
      .then(({ askAgain }) => askAgain(events, { client, signal: left.signal }))
      .then(part => renew(page, part))
      .catch(() => undefined)
    return () => left.abort()
  }, [page])
}
