import { isOutage } from '../../../client/client-errors.ts'
import {
  type ChangePage,
  type ChangesQuery,
  CursorExpiredError,
  type EventsClient,
} from '../../../client/create-events-client.ts'
import { createOutagePauses, type OutagePauses } from '../../../client/create-outage-pauses.ts'
import { CopyUnavailableError } from '../copy-database.ts'
import type { EventCopy } from '../open-copy.ts'

export interface FollowOptions {
  client: EventsClient
  copy: EventCopy
  query: Pick<ChangesQuery, 'network' | 'event' | 'address' | 'user' | 'limit'>
  once: boolean
  signal: AbortSignal
  /** Called after each page is stored. */
  onPage?: ((page: ChangePage) => Promise<void>) | undefined
  /** Called once per outage of the service or the database, before the first pause. */
  onTrouble?: ((error: Error) => void) | undefined
  /** Called when a rebuild of the copy begins because its cursor has expired. */
  onRestart?: (() => void) | undefined
}

/**
 * Keeps a copy equal to the service's events, starting at the copy's cursor. With `once`, returns the page that brought
 * the copy up to date. Without `once`, waits out every outage of the service and of the database. If the cursor has
 * expired, rebuilds the copy. Throws the signal's reason, and every error of the service or the copy that is not an
 * outage.
 */
export async function followChanges(options: FollowOptions): Promise<ChangePage | undefined> {
  const { copy, once, signal, onPage, onRestart } = options
  const onTrouble = (error: Error) => {
    if (once) throw error
    options.onTrouble?.(error)
  }
  const pauses = createOutagePauses({ signal, onTrouble })
  let isTooOld = false
  let isRebuilt = false
  for (;;) {
    try {
      if (isTooOld) {
        await copy.empty()
        isTooOld = false
        isRebuilt = true
        onRestart?.()
      }
      return await followFrom(await copy.cursor(), {
        ...options,
        onTrouble,
        async onPage(page) {
          if (page.isUpToDate) isRebuilt = false
          if (!isRebuilt) pauses.recover()
          await onPage?.(page)
        },
      })
    } catch (error) {
      const isExpired = error instanceof CursorExpiredError
      if (!isExpired && !(error instanceof CopyUnavailableError)) throw error
      isTooOld ||= isExpired
      // Pauses before a repeated rebuild, because the cursor might expire during every rebuild.
      if (!isExpired || isRebuilt) await pauses.waitOut(error)
    }
  }
}

async function followFrom(
  cursor: string | undefined,
  { client, copy, query, once, signal, onPage, onTrouble }: FollowOptions,
): Promise<ChangePage | undefined> {
  let after = cursor
  const from = { ...query, from: 'beginning', cursor } as const
  for await (const page of client.changePages(from, { signal, onTrouble })) {
    await copy.apply(page, { after })
    after = page.next
    await onPage?.(page)
    if (once && page.isUpToDate) return page
  }
  return undefined
}

/** Waits out outages of the database and the service. Throws all other errors of `open`. */
export async function openWhenReachable(
  open: () => Promise<EventCopy>,
  pauses: OutagePauses,
): Promise<EventCopy> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof CopyUnavailableError) && !isOutage(error)) throw error
      await pauses.waitOut(error)
    }
  }
}
