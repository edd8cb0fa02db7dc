import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type AttributeValue, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import { lockImport, writeImport } from '../../../lib/ingest/load/write-import.ts'
import { cutBatches } from '../../../lib/store/event-table.ts'
import { MAX_BATCH_ITEMS } from '../../../lib/store/writing/put-items.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { rawLogOf } from '../../support/records/raw-log-of.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useEngine } from '../../support/store/engine.ts'
import { problemsIn } from '../../support/store/problems-in.ts'
import { storedItems } from '../../support/store/stored-items.ts'

const engine = useEngine()
const long = makeEvent('TransferBatch', {
  tokenIds: Array.from({ length: 6000 }, (_, index) => String(10n ** 70n + BigInt(index))),
  quantities: Array.from({ length: 6000 }, () => '1'),
})
const records = [...eventSetOf({ blocks: 5, events: 3, crowd: 10 }, 11).slice(0, 40), long]

const ofAll = useFolder()
let folder: string
let source: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(ofAll, 'import-'))
  source = path.join(folder, 'logs.ndjson')
  await writeFile(source, records.map(record => JSON.stringify(rawLogOf(record))).join('\n'))
})

const out = () => path.join(folder, 'out')
const filesIn = async () => (await readdir(out())).filter(name => !name.startsWith('.')).sort()

async function* yieldAll(all: EventRecord[]) {
  yield* all
}

/** Decodes the items as DynamoDB does, because bytes are encoded as Base64 in the files. */
async function readItems(): Promise<Record<string, AttributeValue>[]> {
  const files = (await filesIn()).map(name => readFile(path.join(out(), name)))
  const lines = (await Promise.all(files)).flatMap(file => `${gunzipSync(file)}`.trimEnd().split('\n'))
  const decodeBytes = (key: string, value: unknown) =>
    key === 'B' ? Buffer.from(`${value}`, 'base64') : value
  return lines.map(line => JSON.parse(line, decodeBytes).Item)
}

test('a table that is made of the files is the one that loading makes', async () => {
  const imported = await engine.createEventsTable()
  const written = await engine.createEventsTable(records)

  await writeImport({ folder: out(), eventsInFile: 10 }, yieldAll(records))
  for (const items of cutBatches(await readItems(), MAX_BATCH_ITEMS)) {
    const requests = items.map(Item => ({ PutRequest: { Item } }))
    await engine.client.send(new BatchWriteItemCommand({ RequestItems: { [imported]: requests } }))
  }

  expect(await filesIn()).toHaveLength(Math.ceil(records.length / 10))
  expect(await storedItems(engine.client, imported)).toEqual(await storedItems(engine.client, written))
  expect(await problemsIn({ client: engine.client, tableName: imported })).toEqual([])
})

test('what was stopped goes on, and leaves finished files as they are', async () => {
  const stop = new AbortController()
  async function* stopAfter(count: number) {
    for (const [index, record] of records.entries()) {
      if (index === count) stop.abort()
      yield record
    }
  }
  const options = { folder: out(), eventsInFile: 10 }
  await expect(writeImport({ ...options, signal: stop.signal }, stopAfter(25))).rejects.toThrow(/abort/)
  const finished = await filesIn()
  const timesOf = () => Promise.all(finished.map(async name => (await stat(path.join(out(), name))).mtimeMs))
  const times = await timesOf()

  const summary = await writeImport(options, yieldAll(records))

  expect(finished).toEqual(['events-000000.json.gz', 'events-000001.json.gz'])
  expect(summary).toEqual({ events: records.length, files: Math.ceil(records.length / 10) })
  expect(await timesOf()).toEqual(times)
  expect((await readdir(out())).filter(name => name.startsWith('.events'))).toEqual([])
})

test.each<[string, EventRecord[]]>([
  ['others', records.toReversed()],
  ['more', [...records, makeEvent('Minted')]],
  ['fewer', records.slice(0, -1)],
  ['fewer files', records.slice(0, 20)],
  ['none', []],
])('a folder with files of other events is refused: %s', async (_, other) => {
  const options = { folder: out(), eventsInFile: 10 }
  await writeImport(options, yieldAll(records))

  await expect(writeImport(options, yieldAll(other))).rejects.toThrow(
    /contains files of another import: choose an empty folder, or give the same files and options as before/,
  )
})

test("npm run write-import takes a node's reply, and says what it has written and left out", async () => {
  const [network = ''] = records.map(record => record.network)
  const logs = records.filter(record => record.network === network).map(rawLogOf)
  const reply = { jsonrpc: '2.0', id: 1, result: logs.map(({ network: _, ...log }) => log) }
  await writeFile(source, `${JSON.stringify(reply)}\nnonsense\n`)

  expect(await runCommand('write-import', ['--out', out(), '--network', network, source])).toMatchObject({
    code: 0,
    output: expect.stringContaining(
      `${logs.length} events written from ${logs.length + 1} lines; 1 line left out`,
    ),
    errors: expect.stringContaining(`${source}:2: a log must be JSON`),
  })
  expect(await filesIn()).toEqual(['events-000000.json.gz'])
})

test('npm run write-import fails where a file is cut off', async () => {
  await writeFile(source, (await readFile(source, 'utf8')).trimEnd().slice(0, -10))

  expect(await runCommand('write-import', ['--out', out(), source])).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${records.length - 1} events written`),
    errors: expect.stringContaining(`${source} is truncated on line ${records.length}: `),
  })
})

test('two commands do not write to one folder at the same time', async () => {
  const unlock = lockImport(out())
  const refused = await runCommand('write-import', ['--out', out(), source])
  unlock()
  const { code } = await runCommand('write-import', ['--out', out(), source])

  expect(refused).toMatchObject({
    code: 1,
    errors: `${out()} is in use by another write-import; choose another --out\n`,
  })
  expect(code).toBe(0)
  await expect(readItems()).resolves.not.toHaveLength(0)
})
