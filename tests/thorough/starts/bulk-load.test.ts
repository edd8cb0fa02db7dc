import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTable } from '../../bench/cost/start-table.ts'
import { checkLoad } from '../../bench/scale/check-load.ts'
import { loadInBulk } from '../../bench/scale/load-in-bulk.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

const long = makeEvent('TransferBatch', longBatch(200))
const records = [...eventSetOf({ blocks: 8, events: 4, crowd: 20 }, 31), long]

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'bulk-load-'))
  await (await startTable(dataDir)).close()
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a bulk load stores what the writer of events stores, byte for byte, and nothing else', async () => {
  const { entries } = await loadInBulk({ dataDir, tableName: 'events', eventsAtOnce: 20 }, records)
  expect(await checkLoad(dataDir, records)).toEqual({ entries })
})

test('an engine that is started on what was loaded in bulk serves it', async () => {
  await loadInBulk({ dataDir, tableName: 'events' }, [long])
  const { client, tableName, close } = await startTable(dataDir)
  const items = await storedItems(client, tableName)
  await close()
  expect(items).toEqual(itemsOfAll([long]))
})

test.each([
  ['an event that is missing', records.slice(1)],
  ['an event that is another', [{ ...long, blockNumber: long.blockNumber + 1 }, ...records.slice(0, -1)]],
])('the comparison finds %s', async (_, loaded) => {
  await loadInBulk({ dataDir, tableName: 'events' }, loaded)
  await expect(checkLoad(dataDir, records)).rejects.toThrow(/missing|written is/)
})
