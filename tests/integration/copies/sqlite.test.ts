import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCopy } from '../../../lib/copies/open-copy.ts'
import { describeCopies } from '../../support/copies/copy-cases.ts'
import { describeQueries } from '../../support/copies/query-cases.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'copies-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
const newFile = () => path.join(folder, `${randomUUID()}.sqlite`)

const newTarget = async () => `sqlite:${newFile()}`

describe('in SQLite', () => describeCopies(newTarget))

describe('queries in SQLite', () => describeQueries(newTarget, 'SQLite'))

test('a file of the first layout is refused, and made anew on request', async () => {
  const file = newFile()
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE events (id TEXT PRIMARY KEY, blockNumber INTEGER, record TEXT) STRICT;
    CREATE TABLE feed (source TEXT PRIMARY KEY, cursor TEXT) STRICT;
    INSERT INTO feed VALUES ('a service', 'old cursor'); INSERT INTO events VALUES ('a', 1, '{}')`)
  database.close()
  const source = 'a service'
  await expect(openCopy(`sqlite:${file}`, { source })).rejects.toThrow(
    `${file} is a copy with tables of another version: give --rebuild to make the copy anew`,
  )
  const copy = await openCopy(`sqlite:${file}`, { source, rebuild: true })
  expect([await copy.count(), await copy.cursor()]).toEqual([0, undefined])
  await copy.close()
})

test('tables of somebody else are not touched, on request neither', async () => {
  const file = newFile()
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE transfers (mine TEXT); INSERT INTO transfers VALUES (1)')
  for (const rebuild of [false, true]) {
    await expect(openCopy(`sqlite:${file}`, { source: 'a service', rebuild })).rejects.toThrow(
      `${file} has a table transfers that belongs to no copy: give another database or schema`,
    )
  }
  expect(database.prepare('SELECT count(*) AS rows FROM transfers').get()).toEqual({ rows: 1 })
  database.close()
})
