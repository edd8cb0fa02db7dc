import { isDeepStrictEqual } from 'node:util'
import type { Change, EventRecord } from '../client/create-events-client.ts'
import { createBalanceChanges } from './balance-changes.ts'
import type { Turn } from './copy-database.ts'
import { BALANCES, EVENTS, TRANSFERS } from './copy-tables.ts'
import { eventRow, transferRows } from './rows-of.ts'

/**
 * Applies changes to the tables of a copy. `transfers` and `balances` change by the difference between the event that
 * the copy has and the event that it is to have, so that changes which are applied already change nothing.
 */
export async function applyChanges(turn: Turn, changes: readonly Change[]): Promise<void> {
  // What happens last to an event is what counts.
  const wanted = new Map(
    changes.map(({ change, record }) => [record.id, change === 'added' ? record : undefined]),
  )
  const stored = await storedRecords(turn, [...wanted.keys()])
  const changed = [...wanted.keys()].filter(id => !isDeepStrictEqual(stored.get(id), wanted.get(id)))
  const leaving = changed.flatMap(id => stored.get(id) ?? [])
  const coming = changed.flatMap(id => wanted.get(id) ?? [])

  await turn.remove(
    EVENTS,
    leaving.map(({ id }) => ({ id })),
  )
  await turn.remove(
    TRANSFERS,
    leaving.map(({ id }) => ({ event_id: id })),
  )
  await turn.put(EVENTS, coming.map(eventRow))
  await turn.put(TRANSFERS, coming.flatMap(transferRows))

  const balances = createBalanceChanges()
  for (const record of leaving) balances.undo(record)
  for (const record of coming) balances.apply(record)
  const { rows, emptied } = balances.resultFrom(await turn.find(BALANCES, balances.keys()))
  await turn.remove(BALANCES, emptied)
  await turn.put(BALANCES, rows)
}

async function storedRecords(turn: Turn, ids: readonly string[]): Promise<Map<string, EventRecord>> {
  const rows = await turn.find(
    EVENTS,
    ids.map(id => ({ id })),
  )
  return new Map(rows.map(({ id = '', record = '' }) => [id, JSON.parse(record)]))
}
