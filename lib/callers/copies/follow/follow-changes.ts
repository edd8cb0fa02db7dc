import { setTimeout } from 'node:timers/promises'
import {
  ApiError,
  type ChangePage,
  type ChangesQuery,
  ConnectionError,
  CursorExpiredError,
  type EventsClient,
  UnavailableError,
} from '../../../client/create-events-client.ts'
import { CopyUnavailableError } from '../copy-errors.ts'
import type { EventCopy } from '../open-copy.ts'

export interface FollowOptions {
  client: EventsClient
  copy: EventCopy
  query: Pick<ChangesQuery, 'network' | 'event' | 'address' | 'user' | 'limit'>
  /** Whether to end when the copy is up to date. */
  once: boolean
  signal: AbortSignal
  /** Called after each page has been stored. */
  onPage?: ((page: ChangePage) => Promise<void>) | undefined
  /** Called when the service or the database fails or is unreachable. The command retries later. */
  onTrouble?: ((error: Error) => void) | undefined
  /** Called when the copy is too old to be updated and is rebuilt. */
  onRestart?: (() => void) | undefined
}

/** The delay before the next attempt, after the client's own retries have failed. */
const RETRY_AFTER_MS = 30_000
const PASSING = [ConnectionError, CopyUnavailableError]

/**
 * Whether an error may pass. A failure of the service counts, because an operator can repair the service while the
 * follower waits.
 */
const isPassing = (error: unknown) =>
  PASSING.some(passing => error instanceof passing) ||
  error instanceof UnavailableError ||
  (error instanceof ApiError && error.status >= 500)

/**
 * Keeps a copy equal to the service's events, and resumes at the copy's cursor. With `once`, returns the page that
 * brought the copy up to date. Without `once`, retries while the service or the database fails or is unreachable.
 * Throws the signal's reason, and all other errors of the client and of the copy.
 */
export async function followChanges(options: FollowOptions): Promise<ChangePage | undefined> {
  const { copy, once, signal, onRestart, onTrouble } = options
  let isTooOld = false
  for (;;) {
    try {
      if (isTooOld) {
        await copy.empty()
        isTooOld = false
        onRestart?.()
      }
      return await followFrom(await copy.cursor(), options)
    } catch (error) {
      if (error instanceof CursorExpiredError) isTooOld = true
      else if (!once && isPassing(error)) {
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
