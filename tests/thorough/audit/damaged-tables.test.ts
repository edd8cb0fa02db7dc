import type { EventRecord } from '../../../lib/events/record.ts'
import type { Item } from '../../../lib/store/format/item.ts'
import { DATA, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import {
  type AuditedChain,
  entriesOf,
  type IndexedTable,
  indexedTable,
  oneOf,
  startAuditedChain,
} from '../../support/audit/audited-table.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { byId } from '../../support/records/by-id.ts'
import { flipped } from '../../support/store/damaged-items.ts'
import { useEngine } from '../../support/store/engine.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()

let known: AuditedChain
beforeAll(async () => {
  known = await startAuditedChain()
})
afterAll(() => known.chain.stop())

const altered = (fields: object): EventRecord => ({ ...known.transfer, ...fields }) as EventRecord

/** An event with a block number that no block has. Its time is the time of an existing block. */
const ofNoBlock = (): EventRecord => ({ ...known.falseOne, blockNumber: 999_999_999 })

interface Damage {
  name: string
  damage: (table: IndexedTable) => Promise<unknown>
  named: () => Record<string, string[]>
}

const DAMAGES: Damage[] = [
  {
    name: 'an event is missing',
    damage: each => each.remove(entriesOf(known.transfer)),
    named: () => ({ missing: [known.transfer.id] }),
  },
  {
    name: 'an event is missing in one list',
    damage: each => each.remove(oneOf(known.transfer)),
    named: () => ({ missing: [known.transfer.id] }),
  },
  {
    name: 'an event is missing in the list of all',
    damage: each => each.remove(entriesOf(known.batch).slice(0, 1)),
    named: () => ({ missing: [known.batch.id] }),
  },
  {
    name: 'an event is false',
    damage: each => each.put(entriesOf(known.falseOne)),
    named: () => ({ extra: [known.falseOne.id] }),
  },
  {
    name: 'an event is false in one list',
    damage: each => each.put(oneOf(known.falseOne)),
    named: () => ({ extra: [known.falseOne.id] }),
  },
  {
    name: 'an event is false in the list of all',
    damage: each => each.put(entriesOf(known.falseOne).slice(0, 1)),
    named: () => ({ extra: [known.falseOne.id] }),
  },
  ...[
    { quantities: ['987654321'] },
    { to: `0x${'ab'.repeat(20)}` },
    { address: `0x${'cd'.repeat(20)}` },
    { blockHash: `0x${'ef'.repeat(32)}` },
  ].map(fields => ({
    name: `an event has another ${Object.keys(fields)}`,
    damage: async (each: IndexedTable) => {
      await each.remove(entriesOf(known.transfer))
      await each.put(entriesOf(altered(fields)))
    },
    named: () => ({ different: [known.transfer.id] }),
  })),
  {
    name: 'an event has another time',
    damage: async each => {
      const createdAt = new Date(Date.parse(known.transfer.createdAt) + 1000).toISOString()
      await each.remove(entriesOf(known.transfer))
      await each.put(entriesOf(altered({ createdAt })))
    },
    named: () => ({ different: [known.transfer.id] }),
  },
  {
    name: 'an event is altered in one list',
    damage: each => each.put(entriesOf(altered({ quantities: ['987654321'] })).slice(-1)),
    named: () => ({ different: [known.transfer.id] }),
  },
  {
    name: 'an event is altered in the list of all',
    damage: each => each.put(entriesOf(altered({ quantities: ['987654321'] })).slice(0, 1)),
    named: () => ({ different: [known.transfer.id] }),
  },
  {
    name: 'bytes of a row of all are damaged',
    damage: each => each.put([flipped(40)(entriesOf(known.transfer)[0] as Item)]),
    named: () => ({ different: [known.transfer.id] }),
  },
  {
    name: 'bytes of a row of one list are damaged',
    damage: each => each.put(oneOf(known.transfer).map(flipped(40))),
    named: () => ({ different: [known.transfer.id] }),
  },
  {
    name: 'a row that nobody can read is in one list',
    damage: each => each.put(oneOf(known.falseOne).map(item => ({ ...item, [DATA]: Buffer.of(1, 2, 3) }))),
    named: () => {
      const [item] = oneOf(known.falseOne)
      return { extra: [`${item?.[LIST_KEY]} ${item?.[PLACE_KEY]}`] }
    },
  },
  {
    name: 'an event of a block that is not there is false',
    damage: each => each.put(entriesOf(ofNoBlock())),
    named: () => ({ extra: [known.falseOne.id] }),
  },
  {
    name: 'an event of a block that is not there is false in one list',
    damage: each => each.put(oneOf(ofNoBlock())),
    named: () => ({ extra: [known.falseOne.id] }),
  },
  {
    name: 'many are damaged',
    damage: async each => {
      await each.remove(entriesOf(known.transfer))
      await each.remove(oneOf(known.batch))
      await each.put(entriesOf(known.falseOne))
    },
    named: () => ({ missing: [known.transfer.id, known.batch.id], extra: [known.falseOne.id] }),
  },
]

test.each(DAMAGES)(
  '$name: audit names it, and repairs it for queries and readers of the feed',
  async each => {
    const table = await indexedTable(known, engine)
    const { audit, reader, events, state } = table
    await audit()
    const before = await state()
    await each.damage(table)

    const found = await audit()
    expect(found).toMatchObject({ exitCode: 1, movedTo: undefined })
    expect(found.summary).toMatchObject({ missing: [], extra: [], different: [], ...each.named() })
    expect((await state())?.auditedBlock?.blockNumber ?? -1).toBeLessThan(
      before?.auditedBlock?.blockNumber ?? -1,
    )

    const repaired = await audit({ repair: true })
    expect(repaired).toMatchObject({ exitCode: 0, left: [] })
    expect(repaired.summary).toMatchObject({ missing: [], extra: [], different: [], ...each.named() })
    expect(await events()).toEqual(itemsOfAll(known.truth))
    expect(await audit()).toMatchObject({ exitCode: 0, found: [] })
    await reader.catchUp()
    expect(reader.records()).toEqual(byId(known.truth))
    const after = await state()
    expect({ ...after?.checkpoint, indexedSince: 0 }).toEqual({ ...before?.checkpoint, indexedSince: 0 })
    expect(after?.auditedBlock).toEqual(before?.auditedBlock)
  },
)
