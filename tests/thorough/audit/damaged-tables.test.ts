import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { DATA, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { entriesOf, oneOf, useAuditedTables } from '../../support/audit/audited-table.ts'
import { byId } from '../../support/records/by-id.ts'
import { flipped } from '../../support/store/damaged-items.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const { known, indexed } = useAuditedTables()

const inAll = (record: EventRecord) => entriesOf(record).slice(0, 1)
const altered = (record: EventRecord, fields: object) => ({ ...record, ...fields }) as EventRecord
const idsOf = (records: readonly EventRecord[]) => records.map(({ id }) => id).toSorted()

test('an audit names an event with each kind of damage, and a repair repairs it for every reader', async () => {
  const table = await indexed()
  const { audit, reader, events, state, put, remove } = table
  await audit()
  const before = await state()
  const [gone, goneInOne, goneInAll, ...others] = known.final.filter(
    ({ blockNumber }) => blockNumber > 2,
  ) as Six
  const missing = [gone, goneInOne, goneInAll]
  await remove([...entriesOf(gone), ...oneOf(goneInOne), ...inAll(goneInAll)])

  const different = others.filter(({ event }) => event === 'TransferSingle').slice(0, 6) as Six
  const [first, second, third, fourth, fifth, sixth] = different
  const later = { createdAt: new Date(Date.parse(third.createdAt) + 1000).toISOString() }
  const quantities = ['987654321']
  await remove([first, second, third].flatMap(entriesOf))
  await put(entriesOf(altered(first, { quantities })))
  await put(entriesOf(altered(second, { address: `0x${'cd'.repeat(20)}` })))
  await put(entriesOf(altered(third, later)))
  await put([...oneOf(altered(fourth, { quantities })), ...inAll(altered(fifth, { quantities }))])
  await put(inAll(sixth).map(flipped(40)))

  const falseOnes = [0, 1, 2, 3, 4, 5].map(index => {
    const logIndex = known.falseOne.logIndex + index
    // No block has this number, but its time is that of an existing block.
    const blockNumber = index < 4 ? known.falseOne.blockNumber : 999_999_999
    const record = { ...known.falseOne, logIndex, blockNumber }
    return { ...record, id: recordId(record) }
  }) as Six
  const [whole, inOne, onlyInAll, unreadable, ofNoBlock, inOneOfNoBlock] = falseOnes
  await put([...entriesOf(whole), ...oneOf(inOne), ...inAll(onlyInAll)])
  const [unread] = oneOf(unreadable) as [Item]
  await put([{ ...unread, [DATA]: Buffer.of(1, 2, 3) }, ...entriesOf(ofNoBlock), ...oneOf(inOneOfNoBlock)])
  const named = falseOnes.map(each =>
    each === unreadable ? `${unread[LIST_KEY]} ${unread[PLACE_KEY]}` : each.id,
  )
  const damage = { missing: idsOf(missing), different: idsOf(different), extra: named.toSorted() }
  const damageIn = ({ summary: { missing, different, extra } }: Awaited<ReturnType<typeof audit>>) => ({
    ...{ missing: missing.toSorted(), different: different.toSorted(), extra: extra.toSorted() },
  })

  const found = await audit()
  expect(found).toMatchObject({ exitCode: 1, movedTo: undefined })
  expect(damageIn(found)).toEqual(damage)
  const froms = found.progress.differences.flatMap(each => (each.kind === 'extra' ? each.fromBlock : []))
  expect(Math.max(...froms)).toBeLessThanOrEqual(known.transfer.blockNumber + 1)
  const lowest = Math.min(...[...missing, ...different].map(({ blockNumber }) => blockNumber))
  expect((await state())?.auditedBlock?.blockNumber).toBeLessThan(lowest)

  const repaired = await audit({ repair: true })
  expect(repaired).toMatchObject({ exitCode: 0, left: [] })
  expect(damageIn(repaired)).toEqual(damage)
  expect(await events()).toEqual(itemsOfAll(known.truth))
  expect(await audit()).toMatchObject({ exitCode: 0, found: [] })
  await reader.catchUp()
  expect(reader.records()).toEqual(byId(known.truth))
  const after = await state()
  expect({ ...after?.checkpoint, indexedSince: 0 }).toEqual({ ...before?.checkpoint, indexedSince: 0 })
  expect(after?.auditedBlock).toEqual(before?.auditedBlock)
})

type Six = [EventRecord, EventRecord, EventRecord, EventRecord, EventRecord, EventRecord, ...EventRecord[]]
