import { closeSync, existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { appendRevision } from '../../../lib/store/writing/append-revision.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { listenForChanges } from '../../support/http/listen.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import { copiedRecords } from '../../support/programs/copied-records.ts'
import { codeIn } from '../../support/programs/readme-recipes.ts'
import {
  failureOf,
  refusalOf,
  runCommand,
  startCommand,
  startProcess,
} from '../../support/programs/run-command.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 6, events: 3 }, 9)
const later = RECORDS.toSorted((a, b) => compareByTime(placeOf(b), placeOf(a))).slice(0, 1)
const sooner = RECORDS.filter(record => !later.includes(record))

const folder = useFolder()
const stopLater = useStops()

async function setup(records: EventRecord[] = RECORDS) {
  const tableName = await engine.createEventsTable(records)
  const write = (added: EventRecord[]) => writeEvents({ client: engine.client, tableName }, added)
  const service = stopLater(await listenForChanges({ client: engine.reader, tableName }))
  const documents = { client: engine.documents, tableName }
  return {
    url: service.baseUrl,
    file: path.join(folder, `${tableName}.sqlite`),
    write,
    remove: (removed: EventRecord[]) => appendRevision({ places: {}, removed }, documents),
  }
}

test('npm run follow copies all events, and goes on where it was', async () => {
  const { url, file, write, remove } = await setup(sooner)
  const args = [url, '--out', file, '--once']
  const { code, output, errors } = await runCommand('follow', args)

  expect({ code, output }).toEqual({
    code: 0,
    output: `${file} has ${sooner.length} events, and is up to date\n`,
  })
  expect(errors).toMatch(
    new RegExp(`^Up to date: ${sooner.length} events, ${sooner.length} changes applied`, 'm'),
  )
  expect(copiedRecords(file)).toEqual(byId(sooner))

  await write(later)
  await remove(sooner.slice(0, 2))
  const again = await runCommand('follow', [...args, '--log-format', 'json'])
  expect(JSON.parse(again.errors.trim().split('\n').at(-1) ?? '')).toMatchObject({
    event: 'up-to-date',
    changes: 3,
  })
  expect(copiedRecords(file)).toEqual(byId([...later, ...sooner.slice(2)]))
})

test('it copies only what is asked for, and keeps copies apart unless one is rebuilt', async () => {
  const { url, file } = await setup()
  const ofScope = RECORDS.filter(
    ({ network, event }) => ['base', 'polygon'].includes(network) && event === 'TransferSingle',
  )
  const [user] = ADDRESS_POOL.filter(address => ofScope.some(record => hasUser(record, address))) as [string]
  const scope = ['--network', 'base', '--network', 'polygon', '--event', 'TransferSingle', '--user']
  const follow = (...more: string[]) => runCommand('follow', [url, '--out', file, '--once', ...more])

  expect(await follow(...scope, user.toUpperCase().replace('0X', '0x'))).toMatchObject({ code: 0 })
  expect(copiedRecords(file)).toEqual(byId(ofScope.filter(record => hasUser(record, user))))
  expect(await follow('--network', 'base', ...scope, user)).toMatchObject({ code: 0 })
  expect(await failureOf(runCommand('follow', [url, '--to', `sqlite:${file}`, '--once']))).toBe(
    `${file} is a copy of ${url} network=base,polygon event=TransferSingle user=${user}: choose another database, or use --rebuild to replace the copy\n`,
  )
  await follow('--rebuild')
  expect(copiedRecords(file)).toEqual(byId(RECORDS))
})

test('a mistyped address neither empties a copy that is rebuilt nor becomes the source of a new one', async () => {
  const { url, file } = await setup()
  const follow = (address: string, to: string) =>
    runCommand('follow', [address, '--out', to, '--once', '--rebuild'])
  await follow(url, file)
  const neverCopied = `${file}-2`
  const nobody = `http://127.0.0.1:${await freePort()}`

  expect(await failureOf(follow(`${url}/v1`, file))).toMatch(
    /^404: .*[^.]\. Specify the address of the service without \/v1\. If .* update the service\n$/,
  )
  expect(await follow(nobody, neverCopied)).toMatchObject({ code: 1 })
  expect(copiedRecords(file)).toEqual(byId(RECORDS))
  expect(existsSync(neverCopied)).toBe(false)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, and what it has stored is whole', async signal => {
  const { url, file } = await setup()
  const { child, ended } = startCommand('follow', [url, '--out', file])
  await until(() => copiedRecords(file).length === RECORDS.length)
  child.kill(signal)

  expect(await ended).toMatchObject({
    code: signal === 'SIGINT' ? 130 : 143,
    output: 'Stopped; to continue, run the same command again\n',
  })
  const copy = await openCopy(`sqlite:${file}`, { source: url })
  expect([await copy.count(), await copy.cursor()]).toEqual([RECORDS.length, expect.any(String)])
  await copy.close()
})

test('a wrong copy, folder or option is reported at once in one line, even if the service does not answer', async () => {
  const { url, file } = await setup([])
  await runCommand('follow', [url, '--out', file, '--once'])
  const text = path.join(folder, 'text.sqlite')
  await writeFile(text, 'This is no database, and long enough to be told from one: '.repeat(40))
  const nowhere = path.join(folder, 'nowhere', 'copy.sqlite')
  const nobody = `http://127.0.0.1:${await freePort()}`
  const cases: [args: string[], line: string][] = [
    [[nobody, '--to', `sqlite:${file}`], `${file} is a copy of ${url}: choose another database`],
    [[nobody, '--to', `sqlite:${text}`], `${text} is not an SQLite database; use another file`],
    [[nobody, '--out', `${file}-2`, '--once'], `${nobody} did not answer: the connection was refused`],
    [[url, '--out', nowhere], `Can't write ${nowhere}: there is no folder ${path.dirname(nowhere)}`],
    [[url, '--out', folder], `Can't write ${folder}: it is a folder, not a file`],
    [[url, '--out', path.join(text, 'copy')], `Can't write to the folder ${text}: there is a file where`],
  ]

  for (const [args, line] of cases) expect(await refusalOf('follow', args)).toContain(line)
})

test.each([
  [
    'nothing that answers',
    'events',
    /^postgres:\/\/me@127\.0\.0\.1:\d+\/events is not available: the connection was refused\n$/,
  ],
  ['no address', 'a b', /^postgres:\/\/me@127\.0\.0\.1:\d+\/a%20b is not available: .*\n$/],
  ['no port', ':x', undefined],
])('a password is not printed: %s', async (_, database, expected) => {
  const { url } = await setup([])
  const server = database === ':x' ? '127.0.0.1:x/events' : `127.0.0.1:${await freePort()}/${database}`
  const target = `postgres://me:secret@${server}?password=secret`
  const { code, output, errors } = await runCommand('follow', [url, '--to', target, '--once'])
  expect(code).toBe(1)
  expect(output + errors).not.toContain('secret')
  expect(errors).toMatch(expected ?? /^--to must be sqlite:FILE or postgres:\/\/USER@HOST:PORT\/DATABASE\n$/)
})

test('a full disk for its messages does not end npm run follow', async () => {
  const { url, file } = await setup()
  const full = openSync('/dev/full', 'w')
  const args = ['infra/commands/follow.ts', url, '--out', file, '--once']

  expect(await startProcess(process.execPath, args, { stdio: ['ignore', 'ignore', full] }).ended).toBe(0)
  closeSync(full)
  expect(copiedRecords(file)).toEqual(byId(RECORDS))
})

test('the consumer of the README works as it stands, through a stop and an event that is removed', async () => {
  const { url, write, remove } = await setup(sooner)
  const [code = ''] = codeIn('lib/client/README.md', 'ts', 'Keep a copy')
  const program = path.join(folder, 'copy.ts')
  await writeFile(
    program,
    code.replace('./lib/client/', `${ROOT}/lib/client/`).replace('http://127.0.0.1:3000', url),
  )
  const file = path.join(folder, 'copy.sqlite')
  const whileRunning = async (isDone: () => boolean) => {
    const { child, ended } = startProcess(process.execPath, [program], { cwd: folder, stdio: 'inherit' })
    await until(isDone)
    child.kill('SIGKILL')
    await ended
  }

  expect(code.split('\n').length).toBeLessThan(25)
  await whileRunning(() => copiedRecords(file).length === sooner.length)
  await write(later)
  await remove(sooner.slice(0, 1))
  await whileRunning(() => copiedRecords(file).some(({ id }) => id === later[0]?.id))
  expect(copiedRecords(file)).toEqual(byId([...later, ...sooner.slice(1)]))
})
