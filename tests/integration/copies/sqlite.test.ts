import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import type { Change } from '../../../lib/client/create-events-client.ts'
import { describeCopies } from '../../support/copies/copy-cases.ts'
import { describeQueries } from '../../support/copies/query-cases.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useFolder } from '../../support/runner/use-folder.ts'

const { jest } = import.meta
const folder = useFolder()
const newFile = () => path.join(folder, `${randomUUID()}.sqlite`)

const newTarget = async () => `sqlite:${newFile()}`

describe('in SQLite', () => describeCopies(newTarget))

describe('queries in SQLite', () => describeQueries(newTarget, 'SQLite'))

test('a file of the first layout is refused without a change to it, and made anew on request', async () => {
  const file = newFile()
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE events (id TEXT PRIMARY KEY, blockNumber INTEGER, record TEXT) STRICT;
    CREATE TABLE feed (source TEXT PRIMARY KEY, cursor TEXT) STRICT;
    INSERT INTO feed VALUES ('a service', 'old cursor'); INSERT INTO events VALUES ('a', 1, '{}')`)
  database.close()
  const source = 'a service'
  const bytes = readFileSync(file)
  await expect(openCopy(`sqlite:${file}`, { source })).rejects.toThrow(
    `${file} is a copy whose tables were created by another version: use --rebuild to replace the copy`,
  )
  expect(readFileSync(file).equals(bytes)).toBe(true)
  const copy = await openCopy(`sqlite:${file}`, { source, rebuild: true })
  expect([await copy.count(), await copy.cursor()]).toEqual([0, undefined])
  await copy.close()
})

test('a damaged file is named, because SQLite does not say which file is damaged', async () => {
  const file = newFile()
  await (await openCopy(`sqlite:${file}`, { source: 'a service' })).close()
  writeFileSync(file, readFileSync(file).fill(0, 4096))

  await expect(openCopy(`sqlite:${file}`, { source: 'a service' })).rejects.toThrow(
    `${file} is damaged; use another file`,
  )
})

test('a full disk is an outage, after which the copy continues', async () => {
  const copy = await openCopy(`sqlite:${newFile()}`, { source: 'a service' })
  const { exec } = DatabaseSync.prototype
  const fails = function (this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT') throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    exec.call(this, sql)
  }
  const full = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(fails)
  const changes = [{ change: 'added' as const, record: makeEvent('Minted') }]
  const page = { changes, next: 'all', isUpToDate: true }
  await expect(copy.apply(page, { after: undefined })).rejects.toThrow(
    `${copy.name} is not available: database or disk is full`,
  )
  full.mockRestore()
  expect(await copy.cursor()).toBeUndefined()
  await copy.apply(page, { after: undefined })

  expect(await copy.records()).toEqual([makeEvent('Minted')])
  await copy.close()
})

test('a disk that fails is an outage for a query outside a transaction too', async () => {
  const copy = await openCopy(`sqlite:${newFile()}`, { source: 'a service' })
  const failing = jest.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
  })
  await expect(copy.count()).rejects.toThrow(`${copy.name} is not available: disk I/O error`)
  failing.mockRestore()
  await copy.close()
})

test('however many pages are stored, the rows are counted once, because counting reads all of them', async () => {
  const copy = await openCopy(`sqlite:${newFile()}`, { source: 'a service' })
  const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare')
  const counts: number[] = []
  for (const [page, change] of ['added', 'added', 'removed'].entries()) {
    const record = makeEvent('Minted', { logIndex: page % 2 })
    const changes = [{ change, record: { ...record, id: `a:${page % 2}` } } as Change]
    await copy.apply({ changes, next: String(page), isUpToDate: true }, { after: await copy.cursor() })
    counts.push(await copy.count())
  }

  expect(counts).toEqual([1, 2, 1])
  expect(prepare.mock.calls.filter(([sql]) => sql.includes('count(*)'))).toHaveLength(1)
  prepare.mockRestore()
  await copy.close()
})

test('quantities that an earlier version stored as floating-point numbers become integers', async () => {
  const TYPES = `SELECT quantity, typeof(quantity) AS type FROM transfers
    UNION ALL SELECT quantity, typeof(quantity) FROM balances ORDER BY type, quantity`
  const file = newFile()
  const copy = await openCopy(`sqlite:${file}`, { source: 'a service' })
  const quantities = ['7', String(2 ** 53 - 1), String(2n ** 53n)]
  const record = makeEvent('TransferBatch', { tokenIds: ['0', '1', '2'], quantities })
  const changes = [{ change: 'added' as const, record }]
  await copy.apply({ changes, next: 'all', isUpToDate: true }, { after: undefined })
  const right = await copy.read(TYPES)
  await copy.close()
  const database = new DatabaseSync(file)
  for (const table of ['transfers', 'balances']) {
    database.exec(`UPDATE ${table} SET quantity = quantity + 0.0 WHERE typeof(quantity) = 'integer'`)
  }
  const reals = database
    .prepare("SELECT count(*) AS rows FROM balances WHERE typeof(quantity) = 'real'")
    .get()
  database.close()

  expect(reals).toEqual({ rows: 4 })
  const again = await openCopy(`sqlite:${file}`, { source: 'a service' })
  expect(await again.read(TYPES)).toEqual(right)
  await again.close()
})
