import type { EventRecord } from '../../../lib/events/record.ts'
import { DATA, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { entriesOf, type IndexedTable, oneOf, useAuditedTables } from '../../support/audit/audited-table.ts'
import { byId } from '../../support/records/by-id.ts'
import { flipped } from '../../support/store/damaged-items.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const { known, indexed } = useAuditedTables()

const altered = (fields: object): EventRecord => ({ ...known.transfer, ...fields }) as EventRecord

/** No block has this event's block number, but its time is that of an existing block. */
const ofNoBlock = (): EventRecord => ({ ...known.falseOne, blockNumber: 999_999_999 })

type Damage = (table: IndexedTable) => Promise<unknown>
type Named = () => Record<string, string[]>

const missing: Named = () => ({ missing: [known.transfer.id] })
const extra: Named = () => ({ extra: [known.falseOne.id] })
const different: Named = () => ({ different: [known.transfer.id] })

const replacing =
  (fields: () => object): Damage =>
  async table => {
    await table.remove(entriesOf(known.transfer))
    await table.put(entriesOf(altered(fields())))
  }

const otherQuantities = () => entriesOf(altered({ quantities: ['987654321'] }))
const later = () => ({ createdAt: new Date(Date.parse(known.transfer.createdAt) + 1000).toISOString() })

const DAMAGES: [name: string, damage: Damage, named: Named][] = [
  ['an event is missing', table => table.remove(entriesOf(known.transfer)), missing],
  ['an event is missing in one list', table => table.remove(oneOf(known.transfer)), missing],
  [
    'an event is missing in the list of all',
    table => table.remove(entriesOf(known.batch).slice(0, 1)),
    () => ({ missing: [known.batch.id] }),
  ],
  ['an event is false', table => table.put(entriesOf(known.falseOne)), extra],
  ['an event is false in one list', table => table.put(oneOf(known.falseOne)), extra],
  ['an event is false in the list of all', table => table.put(entriesOf(known.falseOne).slice(0, 1)), extra],
  ['an event has another quantity', replacing(() => ({ quantities: ['987654321'] })), different],
  ['an event has another contract', replacing(() => ({ address: `0x${'cd'.repeat(20)}` })), different],
  ['an event has another time', replacing(later), different],
  ['an event is altered in one list', table => table.put(otherQuantities().slice(-1)), different],
  ['an event is altered in the list of all', table => table.put(otherQuantities().slice(0, 1)), different],
  [
    'bytes of a row of all are damaged',
    table => table.put(entriesOf(known.transfer).slice(0, 1).map(flipped(40))),
    different,
  ],
  [
    'a row that nobody can read is in one list',
    table => table.put(oneOf(known.falseOne).map(item => ({ ...item, [DATA]: Buffer.of(1, 2, 3) }))),
    () => {
      const [item] = oneOf(known.falseOne)
      return { extra: [`${item?.[LIST_KEY]} ${item?.[PLACE_KEY]}`] }
    },
  ],
  ['an event of a block that is not there is false', table => table.put(entriesOf(ofNoBlock())), extra],
  [
    'an event of a block that is not there is false in one list',
    table => table.put(oneOf(ofNoBlock())),
    extra,
  ],
  [
    'many are damaged',
    async table => {
      await table.remove(entriesOf(known.transfer))
      await table.remove(oneOf(known.batch))
      await table.put(entriesOf(known.falseOne))
    },
    () => ({ missing: [known.transfer.id, known.batch.id], extra: [known.falseOne.id] }),
  ],
]

test.each(DAMAGES)('%s: audit names it, and repairs it for every reader', async (_, damage, named) => {
  const table = await indexed()
  const { audit, reader, events, state } = table
  await audit()
  const before = await state()
  await damage(table)

  const found = await audit()
  expect(found).toMatchObject({ exitCode: 1, movedTo: undefined })
  expect(found.summary).toMatchObject({ missing: [], extra: [], different: [], ...named() })
  expect((await state())?.auditedBlock?.blockNumber ?? -1).toBeLessThan(
    before?.auditedBlock?.blockNumber ?? -1,
  )

  const repaired = await audit({ repair: true })
  expect(repaired).toMatchObject({ exitCode: 0, left: [] })
  expect(repaired.summary).toMatchObject({ missing: [], extra: [], different: [], ...named() })
  expect(await events()).toEqual(itemsOfAll(known.truth))
  expect(await audit()).toMatchObject({ exitCode: 0, found: [] })
  await reader.catchUp()
  expect(reader.records()).toEqual(byId(known.truth))
  const after = await state()
  expect({ ...after?.checkpoint, indexedSince: 0 }).toEqual({ ...before?.checkpoint, indexedSince: 0 })
  expect(after?.auditedBlock).toEqual(before?.auditedBlock)
})
