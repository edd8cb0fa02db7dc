import { isDeepStrictEqual } from 'node:util'
import type { Change, EventRecord } from '../../client/create-events-client.ts'
import { createBalanceChanges } from './balance-changes.ts'
import type { SqlTransaction } from './copy-database.ts'
import { BALANCES, EVENTS, TRANSFERS } from './copy-tables.ts'
import { eventRow, transferRows } from './rows-of.ts'

/**
 * Adjusts transfers and balances by the difference between the stored and the new event, so applying a change twice
 * does no harm. Resolves with the number of added events minus the number of removed events.
 */
export async function applyChanges(transaction: SqlTransaction, changes: readonly Change[]): Promise<number> {
  // If an event has several changes, only the last one matters.
  const wanted = new Map(
    changes.map(({ change, record }) => [record.id, change === 'added' ? record : undefined]),
  )
  const stored = await storedRecords(transaction, [...wanted.keys()])
  const changed = [...wanted.keys()].filter(id => !isDeepStrictEqual(stored.get(id), wanted.get(id)))
  const leaving = changed.flatMap(id => stored.get(id) ?? [])
  const coming = changed.flatMap(id => wanted.get(id) ?? [])

  await transaction.remove(
    EVENTS,
    leaving.map(({ id }) => ({ id })),
  )
  await transaction.remove(
    TRANSFERS,
    leaving.map(({ id }) => ({ event_id: id })),
  )
  await transaction.put(EVENTS, coming.map(eventRow))
  await transaction.put(TRANSFERS, coming.flatMap(transferRows))

  const balances = createBalanceChanges()
  for (const record of leaving) balances.undo(record)
  for (const record of coming) balances.apply(record)
  const { rows, emptied } = balances.resultFrom(await transaction.find(BALANCES, balances.keys()))
  await transaction.remove(BALANCES, emptied)
  await transaction.put(BALANCES, rows)
  return coming.length - leaving.length
}

async function storedRecords(
  transaction: SqlTransaction,
  ids: readonly string[],
): Promise<Map<string, EventRecord>> {
  const rows = await transaction.find(
    EVENTS,
    ids.map(id => ({ id })),
  )
  return new Map(rows.map(({ id = '', record = '' }) => [id, JSON.parse(record)]))
}
