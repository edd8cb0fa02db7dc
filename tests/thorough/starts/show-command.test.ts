import { type EventList, listsOf } from '../../../lib/events/lists.ts'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemBytes } from '../../../lib/inspect/item-cost.ts'
import { readListName } from '../../../lib/inspect/read-list-name.ts'
import { showItems } from '../../../lib/inspect/show-items.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { flipped } from '../../support/store/damaged-items.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const [USER, OTHER, TOKEN] = ['a1', 'b0', 'ab12ab12'].map(
  digits => `0x${digits.repeat(20).slice(0, 40)}`,
) as [string, string, string]
const HASH = `0x${'ab'.repeat(32)}`

const transfer = makeEvent('TransferSingle', { address: TOKEN, operator: USER, from: USER, to: OTHER })
const later = makeEvent('Minted', {
  network: 'polygon',
  address: TOKEN,
  blockNumber: 99,
  transactionHash: `0x${'99'.repeat(32)}`,
  createdAt: '2024-06-02T00:00:00.000Z',
  creator: OTHER,
  initialOwner: USER,
})
const long = makeEvent('TransferBatch', {
  address: TOKEN,
  blockNumber: 7,
  transactionHash: `0x${'77'.repeat(32)}`,
  createdAt: '2024-06-03T00:00:00.000Z',
  operator: OTHER,
  from: OTHER,
  to: OTHER,
  ...longBatch(200),
})
const RECORDS = [transfer, later, long]

let target: string[]
let tableName: string
beforeAll(async () => {
  tableName = await engine.createEventsTable(RECORDS)
  target = ['--table', tableName, '--endpoint', engine.endpoint]
})

function itemIn(record: EventRecord, list: EventList): Item {
  const index = listsOf(record).findIndex(own => JSON.stringify(own) === JSON.stringify(list))
  return itemsOf(record).entries[index] as Item
}

const textOf = (record: EventRecord) => JSON.stringify(record, null, 2)

test('prints the events of a list, at most as many as asked, the latest first, with their sizes and costs', async () => {
  const list = { of: 'user', address: USER } as const
  const [one, two] = [transfer, later].map(record => itemBytes(itemIn(record, list))) as [number, number]

  const show = (...more: string[]) => runCommand('show', [`user#${USER}`, ...more, ...target])

  expect(await show()).toEqual({
    code: 0,
    errors: '',
    output: [
      `${placeOf(later)}  ${two} bytes, 2 write units`,
      textOf(later),
      '',
      `${placeOf(transfer)}  ${one} bytes, 2 write units`,
      textOf(transfer),
      '',
      `2 items, ${one + two} bytes: 0.5 read units`,
      '',
    ].join('\n'),
  })
  expect((await show('--limit', '1')).output).toMatch(/^1 item, \d+ bytes/m)
  expect((await show('000000000001')).output).toContain(`user#${USER} has no item`)
})

test.each<[what: string, args: string[], found: EventRecord[]]>([
  ['a list of a network', [`user#${USER}@polygon`], [later]],
  ['a list of a role', [`user#${USER}#from`], [transfer]],
  ['a list of a kind', [`token#${TOKEN}#Minted`], [later]],
  ['an address in capitals', [`user#0x${USER.slice(2).toUpperCase()}#from@base`], [transfer]],
  ['all of a network', ['all@base'], [long, transfer]],
  ['all of a kind', ['all#TransferSingle@base'], [transfer]],
  ['the key of a list', [`u${USER.slice(2)}#from@base`], [transfer]],
  ['the key of a list of a kind', [`t${TOKEN.slice(2)}#M@pol`], [later]],
  ['the key of all of a kind', ['all#TB@base'], [long]],
  ['a transaction', [`transaction#${HASH}`], [transfer]],
  ['a block', ['block#99'], [later]],
  ['a whole place', [`user#${USER}`, placeOf(transfer)], [transfer]],
  ['the beginning of a place', [`user#${USER}`, placeOf(later).slice(0, 9)], [later]],
  ['a place where nothing is', [`user#${USER}`, '000000000001'], []],
  ['a list without events', [`user#0x${'0'.repeat(40)}`], []],
])('finds the events of %s', async (_, [name = '', place = ''], found) => {
  const range = { ...readListName(name), place, limit: 10 }
  const items = await showItems({ client: engine.client, tableName }, range)

  expect(items.map(item => item.place)).toEqual(found.map(placeOf))
})

test('says how many chunks a long field has, and shows the rest of the record', async () => {
  const { tokenIds: _, quantities: __, ...rest } = long

  const { output } = await runCommand('show', ['block#7', ...target])

  expect(output).toContain(' bytes, with its ids or text in 1 chunk, 3 write units\n')
  expect(output).toContain(textOf(rest as EventRecord))
})

test('tells a damaged item, shows the others, and fails', async () => {
  const damagedTable = await engine.createEventsTable(RECORDS)
  const damaged = flipped(30)(itemIn(transfer, { of: 'all' }))
  await putItems([damaged], { client: engine.documents, tableName: damagedTable })

  const shown = await runCommand('show', ['all@base', ...target, '--table', damagedTable])

  expect(shown).toMatchObject({ code: 1, errors: '' })
  expect(shown.output).toContain(
    `${placeOf(transfer)}  ${itemBytes(damaged)} bytes, 3 write units\nDAMAGED: The bytes of the item are damaged, or belong to another item\n`,
  )
  expect(shown.output).toContain(`"id": "${long.id}"`)
})

const NO_LIST =
  'is not a list: it must look like user#0x…, user#0x…#from, token#0x…#TransferSingle, token#0x…#77, all#Minted@polygon, transaction#0x… or block#123. The name of a list may end with a network, unless it is the list of a transaction or a block'

test.each([
  ...[
    'user#0x12',
    `user#${USER}#sender`,
    `token#${TOKEN}#from`,
    `user#${USER}@solana`,
    `user#${USER}@base@base`,
    `user#${USER}#from#Minted`,
    'transaction#0x12',
    'block#latest',
    'checkpoints',
    `u${USER}`,
    `u${USER.slice(2)}#M#from`,
  ].map((name): [string, string] => [name, `${name} ${NO_LIST}`]),
  [
    'all#Minted',
    'A list whose name begins with all is stored by network: write, for example, all#Minted@arbitrum',
  ],
  [
    'block#5@base',
    'A transaction or a block is looked up on all networks at the same time: write block#5 without a network',
  ],
])('says what is wrong with the list %s', (name, problem) => {
  expect(() => readListName(name)).toThrow(problem)
})
