import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { type Item, itemsOf } from '../../../lib/store/format/item.ts'
import { LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import type { Random } from '../records/random.ts'
import { flipped } from '../store/damaged-items.ts'

/** The ids of the damaged events, grouped by the kind of problem that an audit should report. */
export type Damage = Record<'missing' | 'extra' | 'different', Set<string>>

/** Damages random events of a table. Each event is damaged in one way, either in all its lists or in one list. */
export async function damageTable(
  { client, tableName }: EventTable,
  { truth, random }: { truth: readonly EventRecord[]; random: Random },
): Promise<Damage> {
  const documents = DynamoDBDocumentClient.from(client)
  const damage: Damage = { missing: new Set(), extra: new Set(), different: new Set() }
  const put = async (items: readonly Item[]) => {
    for (const Item of items) await documents.send(new PutCommand({ TableName: tableName, Item }))
  }
  const remove = async (items: readonly Item[]) => {
    for (const { [LIST_KEY]: list, [PLACE_KEY]: place } of items) {
      const Key = { [LIST_KEY]: list, [PLACE_KEY]: place }
      await documents.send(new DeleteCommand({ TableName: tableName, Key }))
    }
  }
  const some = (items: readonly Item[]) => (random.chance(0.5) ? items : [random.pick(items)])
  for (const record of truth) {
    if (!random.chance(0.08)) continue
    const { entries } = itemsOf(record)
    const chance = random.next()
    if (chance < 0.35) {
      await remove(some(entries))
      damage.missing.add(record.id)
    } else if (chance < 0.7) {
      const logIndex = record.logIndex + 5000 + random.below(1000)
      const id = `${record.network}:${record.transactionHash}:${logIndex}`
      await put(some(itemsOf({ ...record, logIndex, id }).entries))
      damage.extra.add(id)
    } else if (chance < 0.85) {
      await put([flipped(-1 - random.below(30))(random.pick(entries))])
      damage.different.add(record.id)
    } else {
      const altered = { ...record, blockHash: `0x${'5a'.repeat(32)}` } as EventRecord
      await put(some(itemsOf(altered).entries))
      damage.different.add(record.id)
    }
  }
  return damage
}
