import { CopyUnavailableError } from '../../../lib/callers/copies/copy-database.ts'
import { type EventCopy, openCopy, openDatabase } from '../../../lib/callers/copies/open-copy.ts'
import type { Change } from '../../../lib/client/create-events-client.ts'
import { eventSetOf } from '../records/arbitrary-records.ts'
import { makeEvent } from '../records/make-event.ts'
import { SEED } from '../runner/test-size.ts'
import { copiedBalances, sumOfTransfers } from './balances-of.ts'

const MAX = String(2n ** 256n - 1n)
const [ALICE, BOB, ZERO] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'0'.repeat(40)}`]
const TRANSFERS = 'SELECT token_id, quantity, position FROM transfers ORDER BY event_id, position'
const BALANCES = 'SELECT network, address, token_id, owner, quantity FROM balances'

const added = (record: Extract<Change, { change: 'added' }>['record']): Change => ({
  change: 'added',
  record,
})
const removed = ({ id, network, blockNumber, blockHash }: Change['record']): Change => ({
  ...{ change: 'removed', record: { id, network, blockNumber, blockHash } },
})

/** These tests must pass on every database. `newTarget` creates an empty database and returns its URL. */
export function describeCopies(newTarget: () => Promise<string>): void {
  const copies: EventCopy[] = []
  afterEach(() => Promise.all(copies.splice(0).map(copy => copy.close())))

  async function open(target: string, { source = 'a service', rebuild = false } = {}) {
    const copy = await openCopy(target, { source, rebuild })
    copies.push(copy)
    const balances = async () => copiedBalances(await copy.read(BALANCES))
    let turns = 0
    return {
      copy,
      balances,
      async apply(...changes: Change[]) {
        turns += 1
        const next = `cursor ${turns}`
        await copy.apply({ changes, next, isUpToDate: turns % 2 === 0 }, { after: await copy.cursor() })
        const records = await copy.records()
        expect(await balances()).toEqual(sumOfTransfers(records))
        expect(await copy.count()).toBe(records.length)
      },
    }
  }

  test('a batch has a row for each position, with numbers of up to 256 bits, and a mint counts once', async () => {
    const { copy, apply, balances } = await open(await newTarget())
    const mint = { from: ZERO, to: BOB, tokenIds: [MAX, '7', '7'], quantities: [MAX, '5', '6'] }
    const { address } = makeEvent('Minted')
    await apply(
      added(makeEvent('TransferBatch', mint)),
      added(makeEvent('MintedBatch', { logIndex: 4, tokenIds: [MAX, '7'], quantities: [MAX, '11'] })),
    )
    expect(await copy.read(TRANSFERS)).toEqual([
      { token_id: MAX, quantity: MAX, position: '0' },
      { token_id: '7', quantity: expect.stringMatching(/^5$/), position: '1' },
      { token_id: '7', quantity: expect.stringMatching(/^6$/), position: '2' },
    ])
    expect(await balances()).toEqual({
      [`base ${address} ${MAX} ${BOB}`]: MAX,
      [`base ${address} 7 ${BOB}`]: '11',
    })
  })

  test('an event that is repeated, replaced or removed twice changes the balances only once', async () => {
    const { copy, apply, balances } = await open(await newTarget())
    const first = makeEvent('TransferSingle', { quantities: ['5'] })
    const { address } = first
    const key = (owner: string) => `base ${address} 1 ${owner}`
    await apply(added(first))
    await apply(added(first), removed(first), added(first))
    expect(await balances()).toEqual({ [key(ALICE)]: '-5', [key(BOB)]: '5' })
    await apply(added({ ...first, blockNumber: 9, quantities: ['8'] }))
    expect(await balances()).toEqual({ [key(ALICE)]: '-8', [key(BOB)]: '8' })
    expect(await copy.read(TRANSFERS)).toHaveLength(1)
    await apply(removed(first))
    await apply(removed(first))
    expect([await balances(), await copy.read(TRANSFERS), await copy.count()]).toEqual([{}, [], 0])
  })

  test('balances of more than 256 bits, which only a lying contract causes, are added up, too', async () => {
    const { apply, balances } = await open(await newTarget())
    const mint = (logIndex: number) =>
      added(makeEvent('TransferSingle', { logIndex, from: ZERO, quantities: [MAX] }))
    await apply(...Array.from({ length: 12 }, (_, logIndex) => mint(logIndex)))
    expect(Object.values(await balances())).toEqual([String(12n * BigInt(MAX))])
  })

  test('records are read as they were stored, whatever characters they contain', async () => {
    const { copy, apply } = await open(await newTarget())
    const hostile = [
      ...['\0', '"', "'; DROP TABLE events; --", '{NULL,\\}', '\r\n\t\\u0000', '😀\u2028', 'NULL', ''],
    ]
    const records = hostile.map((bucketHash, logIndex) => makeEvent('Minted', { bucketHash, logIndex }))
    await apply(...records.map(added), ...eventSetOf({ blocks: 4, events: 3 }, SEED).map(added))
    expect(await copy.records()).toEqual(expect.arrayContaining(records))
  })

  test('quantities sort by size', async () => {
    const { copy, apply } = await open(await newTarget())
    const quantities = ['9', '10', String(2 ** 53 - 1), String(2n ** 53n), String(2n ** 70n), MAX]
    await apply(
      ...quantities.map((quantity, logIndex) =>
        added(makeEvent('TransferSingle', { logIndex, quantities: [quantity] })),
      ),
    )
    const rows = await copy.read('SELECT quantity FROM transfers ORDER BY quantity DESC')
    expect(rows.map(({ quantity = '' }) => String(BigInt(quantity)))).toEqual(quantities.toReversed())
    expect(await copy.read('SELECT quantity FROM transfers WHERE quantity > 9')).toHaveLength(5)
  })

  test('a copy of another scope is refused, and replaced with --rebuild', async () => {
    const target = await newTarget()
    const { copy, apply } = await open(target)
    await apply(added(makeEvent('TransferSingle')))
    await expect(open(target, { source: 'another' })).rejects.toThrow(
      `${copy.name} is a copy of a service: choose another database, or use --rebuild to replace the copy`,
    )
    const again = await open(target, { source: 'another', rebuild: true })
    expect([await again.copy.count(), await again.copy.cursor()]).toEqual([0, undefined])
    await expect(apply()).rejects.toThrow('Another process is changing the copy')
    await expect(copy.empty()).rejects.toThrow('Another process is changing the copy')
    await again.apply(added(makeEvent('TransferSingle')))
    await again.apply()
    expect(await again.copy.count()).toBe(1)
  })

  test('tables that belong to no copy are never changed, even with --rebuild', async () => {
    const target = await newTarget()
    const database = openDatabase(target)
    await database.transaction(async transaction => {
      await transaction.run('CREATE TABLE balances (mine TEXT)')
      await transaction.run("INSERT INTO balances VALUES ('kept')")
    })

    for (const rebuild of [false, true]) {
      await expect(openCopy(target, { source: 'a service', rebuild })).rejects.toThrow(
        'contains the table "balances", which does not belong to a copy: choose another database or schema',
      )
    }
    expect(await database.read('SELECT mine FROM balances')).toEqual([{ mine: 'kept' }])
    await database.close()
  })

  test.each([
    ['a table', ['balances']],
    ['all tables', ['events', 'transfers', 'balances', 'feed']],
  ])('a copy that has lost %s says what to do, and --rebuild replaces it', async (_, lost) => {
    const target = await newTarget()
    const { copy, apply } = await open(target)
    await apply(added(makeEvent('TransferSingle')))
    const database = openDatabase(target)
    await database.transaction(async transaction => {
      for (const table of lost) await transaction.run(`DROP TABLE ${table}`)
    })
    await database.close()
    const other = [added(makeEvent('TransferSingle', { logIndex: 8 }))]

    const page = { changes: other, next: 'more', isUpToDate: false }
    await expect(copy.apply(page, { after: 'cursor 1' })).rejects.toThrow(
      `${copy.name} lacks a table of the copy, because the table was dropped`,
    )
    const rebuilt = await open(target, { rebuild: true })
    await rebuilt.apply(...other)
    expect(await rebuilt.copy.count()).toBe(1)
  })

  test('a second follower cannot write to the same copy', async () => {
    const target = await newTarget()
    const { copy, apply } = await open(target)
    const other = await open(target)
    await apply(added(makeEvent('Minted')))
    const page = { changes: [], next: 'stale', isUpToDate: true }
    await expect(other.copy.apply(page, { after: undefined })).rejects.toThrow('Another process is changing')
    expect(await copy.cursor()).toBe('cursor 1')
  })

  test('a database that has lost its last pages, as after a failover, is filled again from its own cursor', async () => {
    const target = await newTarget()
    const { copy, apply } = await open(target)
    const index = 'DROP INDEX events_by_time'
    const minted = [1, 2, 3].map(logIndex => added(makeEvent('Minted', { logIndex })))
    for (const each of minted) await apply(each)
    const replica = openDatabase(target)
    await replica.transaction(async transaction => {
      await transaction.run('DELETE FROM events WHERE log_index > 1')
      await transaction.run("UPDATE feed SET cursor = 'cursor 1'")
      await transaction.run(index)
    })
    const page = { changes: minted.slice(1), next: 'cursor 4', isUpToDate: true }
    await expect(copy.apply(page, { after: 'cursor 3' })).rejects.toBeInstanceOf(CopyUnavailableError)
    await copy.apply(page, { after: await copy.cursor() })

    expect(await copy.count()).toBe(3)
    await replica.transaction(transaction => transaction.run(index))
    await replica.close()
  })
}
