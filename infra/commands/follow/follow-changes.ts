import { setTimeout } from 'node:timers/promises'
import {
  type ChangePage,
  type ChangesQuery,
  ConnectionError,
  CursorExpiredError,
  type EventsClient,
  UnavailableError,
} from '../../../lib/client/create-events-client.ts'
import { CopyUnavailableError } from '../../../lib/copies/copy-errors.ts'
import type { EventCopy } from '../../../lib/copies/open-copy.ts'

export interface FollowOptions {
  client: EventsClient
  copy: EventCopy
  query: Pick<ChangesQuery, 'network' | 'event' | 'address' | 'user' | 'limit'>
  /** End once the copy is up to date. */
  once: boolean
  signal: AbortSignal
  /** Called for each page, once it is stored. */
  onPage?: ((page: ChangePage) => Promise<void>) | undefined
  /** Called where the service or the database cannot be asked for the moment; it is asked again later. */
  onTrouble?: ((error: Error) => void) | undefined
  /** Called where the copy was too old to be brought up to date, and is made anew. */
  onRestart?: (() => void) | undefined
}

/** After the client's own attempts. */
const RETRY_AFTER_MS = 30_000
/** What may be over the next time. */
const PASSING = [UnavailableError, ConnectionError, CopyUnavailableError]

/**
 * Keeps a copy equal to what the service has, from where it was left. Ends where it is asked to, with the signal's
 * reason, or `once` the copy is up to date, with the page that says so. Throws what the client and the copy throw; where it is to go on for ever, not
 * for a service or a database that is down for a while.
 */
export async function followChanges(options: FollowOptions): Promise<ChangePage | undefined> {
  const { copy, once, signal, onRestart, onTrouble } = options
  for (;;) {
    try {
      return await followFrom(await copy.cursor(), options)
    } catch (error) {
      if (error instanceof CursorExpiredError) {
        await copy.empty()
        onRestart?.()
      } else if (!once && PASSING.some(passing => error instanceof passing)) {
        onTrouble?.(error as Error)
        await setTimeout(RETRY_AFTER_MS, undefined, { signal })
      } else throw error
    }
  }
}

async function followFrom(
  cursor: string | undefined,
  { client, copy, query, once, signal, onPage }: FollowOptions,
): Promise<ChangePage | undefined> {
  let after = cursor
  for await (const page of client.changePages({ ...query, from: 'beginning', cursor }, { signal })) {
    await copy.apply(page, { after })
    after = page.next
    await onPage?.(page)
    if (once && page.isUpToDate) return page
  }
  return undefined
}
