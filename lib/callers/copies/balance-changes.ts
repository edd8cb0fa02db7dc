import type { EventRecord } from '../../client/create-events-client.ts'
import { ZERO_ADDRESS } from '../../events/event-kinds.ts'
import type { ReadRow, Row } from './copy-database.ts'
import { transferRows } from './rows-of.ts'

type BalanceKey = Record<'network' | 'address' | 'token_id' | 'owner', string>

export function createBalanceChanges() {
  const changes = new Map<string, { key: BalanceKey; change: bigint }>()

  function add(row: Row, owner: Row[string] | undefined, quantity: bigint) {
    if (owner === ZERO_ADDRESS) return
    const { network, address, token_id } = row
    const key = { network, address, token_id, owner } as BalanceKey
    const name = nameOf(key)
    changes.set(name, { key, change: (changes.get(name)?.change ?? 0n) + quantity })
  }
  function addAll(record: EventRecord, sign: bigint) {
    for (const row of transferRows(record)) {
      const quantity = BigInt(row.quantity ?? 0) * sign
      add(row, row.from_address, -quantity)
      add(row, row.to_address, quantity)
    }
  }
  const effective = () => [...changes.values()].filter(({ change }) => change !== 0n)

  return {
    apply: (record: EventRecord) => addAll(record, 1n),
    undo: (record: EventRecord) => addAll(record, -1n),
    keys: (): Row[] => effective().map(({ key }) => key),
    /** `emptied` contains the keys of the rows to delete, because their balance is now 0. */
    resultFrom(before: readonly ReadRow[]): { rows: Row[]; emptied: Row[] } {
      const quantities = new Map(before.map(row => [nameOf(row as BalanceKey), row.quantity ?? '0']))
      const after = effective().map(({ key, change }) => ({
        key,
        quantity: BigInt(quantities.get(nameOf(key)) ?? 0) + change,
      }))
      return {
        rows: after
          .filter(({ quantity }) => quantity !== 0n)
          .map(({ key, quantity }) => ({ ...key, quantity: String(quantity) })),
        emptied: after.filter(({ quantity }) => quantity === 0n).map(({ key }) => key),
      }
    },
  }
}

const nameOf = ({ network, address, token_id, owner }: BalanceKey) =>
  `${network} ${address} ${token_id} ${owner}`
