import { existsSync, statSync } from 'node:fs'
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { type Interceptor, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { halfAnswer, pass, reset, status } from '../../support/faults/faults.ts'
import { listenWith } from '../../support/http/listen.ts'
import { readCsv } from '../../support/http/read-csv.ts'
import { csvRowsOf } from '../../support/oracle/csv-rows-of.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { failureOf, runCommand, startCommand } from '../../support/programs/run-command.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStarted } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const PAGES_A_RUN = 3
const KILLS = IS_LONG_RUN ? 10 : 3
/** More events than all killed runs together can receive in pages of 500. */
const EVENTS = IS_LONG_RUN ? 20_000 : 6000

const USER = `0x${'a1'.repeat(20)}`
const records = Array.from({ length: EVENTS }, (_, index) => eventAt(index))
/** Events with ties in every part of the order, and batches. */
function eventAt(index: number): EventRecord {
  const blockNumber = Math.floor(index / 7)
  const createdAt = new Date(Date.parse('2024-01-01') + Math.floor(blockNumber / 3) * 1000).toISOString()
  const transactionHash = `0x${blockNumber.toString(16).padStart(64, '0')}`
  const place = { blockNumber, createdAt, transactionHash, logIndex: index % 7 }
  // All these events have only one user, so that few lists are written.
  const ownership = { ...place, previousOwner: USER, newOwner: USER }
  return index % 10 === 0 ? makeEvent('TransferBatch', place) : makeEvent('OwnershipTransferred', ownership)
}
const QUERY = 'token-events?network=base'
const all = validAnswer(records, tokenEvents([['network', 'base']])).all

const folder = useFolder()
const api = useStarted(async () => {
  const tableName = await engine.createEventsTable(records)
  return listenWith(createDynamoEventStore({ client: engine.reader, tableName }))
})
/** A proxy with the same URL for all runs, because an export from another URL is a different export. */
const service = useStarted(() => startFaultProxy(api.baseUrl, intercept))
let pagesLeft = 0
let isHolding = false

const args = (out: string, ...more: string[]) => [...[QUERY, '--service', service.url, '--out', out], ...more]

function exportAll(...given: Parameters<typeof args>) {
  servePages(Number.POSITIVE_INFINITY)
  return runCommand('export', args(...given))
}

/** Sends the signal as soon as the condition holds, unless the command ends first. */
async function exportUntil(
  holds: () => boolean,
  { given, signal }: { given: string[]; signal: NodeJS.Signals },
) {
  const { child, ended } = startCommand('export', given)
  await until(() => holds() || child.exitCode !== null)
  child.kill(signal)
  return ended
}
const fileFor = (name: string) => path.join(folder, name)
const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)

function servePages(pages: number): void {
  pagesLeft = pages
  isHolding = false
}

const intercept: Interceptor = async ({ path: asked }, forward) => {
  if (isFirstLook(asked) || pagesLeft-- > 0) return forward()
  isHolding = true
  return 'hang'
}

/** The command's first request only checks that the service exists. */
const isFirstLook = (asked: string) => asked.endsWith('?limit=1')

async function expectWhole(file: string, format: 'csv' | 'ndjson'): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (format === 'csv') expect(readCsv(text).rows).toEqual(all.flatMap(csvRowsOf))
  else expect(text).toBe(all.map(record => `${JSON.stringify(record)}\n`).join(''))
}

test.each(['csv', 'ndjson'] as const)(`${KILLS} kills later, %s has ${EVENTS} events once`, async format => {
  const out = fileFor(`killed.${format}`)
  for (let kill = 0; kill < KILLS; kill += 1) {
    servePages(PAGES_A_RUN)
    const before = sizeOf(`${out}.part`)
    // Half of the kills come while the command waits for a page, and half while it may be writing a page.
    const isTime = kill % 2 === 0 ? () => isHolding : () => sizeOf(`${out}.part`) > before
    const killed = await exportUntil(isTime, { given: args(out, '--format', format), signal: 'SIGKILL' })

    expect(killed.code).toBeNull()
    expect(existsSync(out)).toBe(false)
    // A death can also leave half a line behind what is known to be written.
    await appendFile(`${out}.part`, 'half a li')
  }
  const { code, output } = await exportAll(out, '--format', format)

  expect({ code, output }).toEqual({ code: 0, output: `${EVENTS} events are in ${out}\n` })
  await expectWhole(out, format)
  expect((await readdir(folder)).filter(name => name.startsWith('killed.'))).not.toContain(
    `killed.${format}.state`,
  )
})

const inState = (statement: string) => (out: string) => {
  const database = new DatabaseSync(`${out}.state`)
  database.exec(statement)
  database.close()
}

async function replaceInFile(file: string, from: string, to: string) {
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to))
}

test.each<[string, spoil: (out: string) => unknown, reason: string]>([
  ['a file that has become shorter', out => truncate(`${out}.part`, 100), 'a part of what was written to'],
  [
    'the state of another version',
    inState(`UPDATE export SET state = '{"bytes":100,"records":1}'`),
    'was written by another version: start over with --restart\n',
  ],
  [
    'a damaged state',
    inState("UPDATE export SET state = '{'"),
    'is damaged, or was written by another version: start over with --restart\n',
  ],
  [
    'other columns than it has',
    out => replaceInFile(`${out}.part`, 'event,id,network,', 'event,id,replaced'),
    'The CSV columns have changed, so the export must begin again: use --restart\n',
  ],
])(
  'an export that was asked to end says how to continue, but does not continue with %s',
  async (name, spoil, reason) => {
    const out = fileFor(`${name.replaceAll(' ', '-')}.csv`)
    const { code, errors } = await stopAfter(1, out)
    expect(code).toBe(143)
    expect(errors).toMatch(
      /^Stopped; written so far: 500 events. To continue from there, run the same command again$/m,
    )
    await spoil(out)

    expect(await failureOf(exportAll(out))).toContain(reason)
    expect((await exportAll(out, '--restart')).code).toBe(0)
    await expectWhole(out, 'csv')
  },
)

test('a death after the last page leaves nothing to be asked for', async () => {
  const out = fileFor('last.csv')
  servePages(Number.POSITIVE_INFINITY)
  // The file gets its final name only after the state marks the file as complete.
  await exportUntil(() => existsSync(out), { given: args(out), signal: 'SIGKILL' })
  servePages(0)
  const again = await runCommand('export', args(out))

  // If the first run had already removed its state, the second run reports that the file exists.
  expect(again.output + again.errors).toMatch(/are in .*last\.csv|last\.csv already exists/)
  await expectWhole(out, 'csv')
})

function stopAfter(pages: number, out: string) {
  servePages(pages)
  return exportUntil(() => isHolding, { given: args(out), signal: 'SIGTERM' })
}

test('goes on after answers that pass, and after connections that break', async () => {
  const out = fileFor('faults.ndjson')
  const busy = status(503, { headers: { 'retry-after': '0' } })
  const faults = [busy, pass, reset, halfAnswer, busy]
  const faulty = await startFaultProxy(api.baseUrl, (request, forward) =>
    (isFirstLook(request.path) ? pass : (faults.shift() ?? pass))(request, forward),
  )
  const asked = [QUERY, '--service', faulty.url, '--out', out, '--format', 'ndjson', '--log-format', 'json']
  const { code, output } = await runCommand('export', asked)
  await faulty.stop()

  expect([code, faults]).toEqual([0, []])
  expect(JSON.parse(output)).toMatchObject({ event: 'exported', events: EVENTS, file: out })
  await expectWhole(out, 'ndjson')
})

test('says that no event can match a mistyped address, which could look like an empty wallet', async () => {
  const mistyped = `token-events?user=${USER.slice(0, -1)}`
  const asked = [mistyped, '--service', api.baseUrl, '--out', fileFor('mistyped.csv')]

  expect(await runCommand('export', asked)).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/^No event can match user: an address must be 0x and 40 hex digits/m),
  })
})

describe('writes nothing', () => {
  test('over files that it has not written itself', async () => {
    const mine = fileFor('mine.csv')
    const part = fileFor('foreign.csv.part')
    const database = fileFor('database.csv.state')
    for (const file of [mine, part]) await writeFile(file, 'precious')
    new DatabaseSync(database).exec('CREATE TABLE mine (id)')

    for (const [out, reason] of [
      [mine, `${mine} already exists; choose another name for --out\n`],
      [fileFor('foreign.csv'), `${part} already exists; `],
      [fileFor('database.csv'), `${database} is not the state file of an export; `],
    ] as const) {
      expect(await failureOf(runCommand('export', args(out)))).toContain(reason)
    }
    for (const file of [mine, part]) expect(await readFile(file, 'utf8')).toBe('precious')
    expect(new DatabaseSync(database).prepare('SELECT name FROM sqlite_schema').all()).toHaveLength(1)
  })

  test('over a file that has come while it wrote', async () => {
    const out = fileFor('late.csv')
    await stopAfter(1, out)
    servePages(100)
    const { child, ended } = startCommand('export', args(out))
    await until(() => existsSync(`${out}.state`) || child.exitCode !== null)
    await writeFile(out, 'precious')

    expect((await ended).errors).toContain(`${out} already exists; choose another name for --out`)
    expect(await readFile(out, 'utf8')).toBe('precious')
  })

  test('into the file of another export', async () => {
    const out = fileFor('other.csv')
    await stopAfter(1, out)
    const other = ['token-events?network=polygon', '--service', service.url, '--out', out]
    const asLines = args(out, '--format', 'ndjson')

    for (const asked of [other, asLines])
      expect(await failureOf(runCommand('export', asked))).toContain(
        'belongs to an unfinished export of another request',
      )
  })

  test('while another run writes', async () => {
    const out = fileFor('twice.csv')
    servePages(1)
    const { child, ended } = startCommand('export', args(out))
    await until(() => isHolding || child.exitCode !== null)
    const errors = await failureOf(runCommand('export', args(out)))
    child.kill('SIGKILL')
    await ended

    expect(errors).toBe(
      `${out}.state is in use by another export; stop it, wait until it ends, or choose another name for --out\n`,
    )
  })

  test.each([
    [
      'https://me:secret@events.example.org/v1/tokens',
      /^https:\/\/events\.example\.org\/v1\/tokens is not a request/,
    ],
    ['', /^error: argument 'request' must not be empty: path and query of a request/],
    ['token-events.example.org/v1/token-events', /for events: .* https:\/\/events\.example\.org\/v1\//],
    ['https://me:12/secret@127.0.0.1/v1/token-events', /^The address (?!.*secret)/],
    [' HTTP://127.0.0.1:9/stage/v1/token-events', /^Nothing answers at http:\/\/127\.0\.0\.1:9\/stage: /],
    ['token-events?cursor=abc', /^The request must not contain a cursor/],
    ['token-events?format=csv', /^The request must not contain format/],
    ['token-events?adress=0x1', /^adress is not a parameter of token-events; did you mean address\?$/m],
  ])('for %s, and says why', async (query, reason) => {
    const out = fileFor('none.csv')
    const errors = await failureOf(runCommand('export', [query, '--service', api.baseUrl, '--out', out]))

    expect(errors).toMatch(reason)
    expect((await readdir(folder)).filter(name => name.startsWith('none.'))).toEqual([])
  })
})
