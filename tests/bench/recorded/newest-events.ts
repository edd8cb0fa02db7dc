import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { httpEvent } from '../../support/http/http-events.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { BUSY_TOKEN, BUSY_WALLET, generateEvents } from '../cost/generate-events.ts'

/** More events than the longest page contains. */
const EVENTS = 600

/** Returns the busy wallet's events, which are of every frequent kind. */
export function walletEvents(): EventRecord[] {
  const found: EventRecord[] = []
  for (const record of generateEvents()) {
    if (usersOf(record).includes(BUSY_WALLET)) found.push(record)
    if (found.length === EVENTS) break
  }
  return found
}

export const newestEvents = {
  wallet: BUSY_WALLET,
  ofUser: (limit: number) =>
    httpEvent(userEvents(BUSY_WALLET, [['limit', String(limit)]]), { format: 'http-api' }),
  ofToken: (limit: number) =>
    httpEvent(tokenEvents(`address=${BUSY_TOKEN}&limit=${limit}`), { format: 'http-api' }),
}
