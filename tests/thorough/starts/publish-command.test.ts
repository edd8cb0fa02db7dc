import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { appendRevision } from '../../../lib/store/writing/append-revision.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { listenForChanges } from '../../support/http/listen.ts'
import { copiedRecords } from '../../support/programs/copied-records.ts'
import { codeIn } from '../../support/programs/readme-recipes.ts'
import {
  failureOf,
  refusalOf,
  runCommand,
  startCommand,
  startProcess,
} from '../../support/programs/run-command.ts'
import { SECRET, startReceiver } from '../../support/publisher/receiver.ts'
import { startBus } from '../../support/publisher/start-bus.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { until } from '../../support/runner/until.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 6, events: 10 }, 9).toSorted((a, b) =>
  compareByTime(placeOf(a), placeOf(b)),
)
const [sooner, later] = [RECORDS.slice(0, 40), RECORDS.slice(40)]

const folder = useFolder()
const stopLater = useStops()

async function setup(records = RECORDS) {
  const tableName = await engine.createEventsTable(records)
  const write = (added: EventRecord[]) => writeEvents({ client: engine.client, tableName }, added)
  const service = stopLater(await listenForChanges({ client: engine.reader, tableName }))
  const receiver = stopLater(await startReceiver())
  const documents = { client: engine.documents, tableName }
  const args = (to = receiver.url) => [
    ...['--service', service.baseUrl, '--to', to, '--state', path.join(folder, `${tableName}.state`)],
    ...['--from', 'beginning'],
  ]
  const remove = (removed: EventRecord[]) => appendRevision({ places: {}, removed }, documents)
  return { receiver, write, remove, args }
}

/** Without its time limits, the command waits for a receiver and a service that a busy machine slows down. */
const WITHOUT_LIMITS = 'data:text/javascript,AbortSignal.timeout = () => new AbortController().signal'
const signed = { env: { PUBLISH_SECRET: SECRET }, nodeOptions: ['--import', WITHOUT_LIMITS] }

test('npm run publish delivers all changes, and goes on where it was', async () => {
  const { receiver, args, write, remove } = await setup(sooner)
  const { code, output, errors } = await runCommand('publish', [...args(), '--once'], signed)

  expect({ code, output }).toEqual({
    code: 0,
    output: '40 changes delivered, and the receiver is up to date\n',
  })
  expect(errors).toMatch(/^Delivered 40 changes \(msg_[\w-]+\)$/m)
  expect(receiver.records()).toEqual(byId(sooner))

  await write(later)
  await remove(sooner.slice(0, 2))
  const again = await runCommand('publish', [...args(), '--once', '--log-format', 'json'], signed)
  expect(JSON.parse(again.output)).toMatchObject({ event: 'published', delivered: later.length + 2 })
  expect(receiver.records()).toEqual(byId([...sooner.slice(2), ...later]))
})

test('it sends a batch with the same id and body again after it was killed, and says nothing secret', async () => {
  const { receiver, args } = await setup()
  receiver.react = () => 'hangs'
  const { child, ended } = startCommand('publish', args(), signed)
  await until(() => receiver.deliveries.length > 0)
  child.kill('SIGKILL')
  await ended
  receiver.react = () => ({ status: 500 })
  const failing = await runCommand('publish', [...args(), '--once'], signed)
  receiver.react = () => 'accepts'
  const { ended: stopped, child: going } = startCommand('publish', args(), signed)
  await until(() => receiver.records().length === RECORDS.length)
  going.kill('SIGTERM')

  expect(failing).toMatchObject({
    code: 1,
    output: expect.stringContaining('to continue, run the same command again'),
  })
  expect(failing.errors).toMatch(
    /^The receiver answered 500; the first run that begins at least 1 s from now will send batch msg_\S+ again\n$/,
  )
  expect(await stopped).toMatchObject({ code: 143 })
  expect(new Set(receiver.deliveries.map(({ id, body }) => id + body)).size).toBe(1)
  expect(receiver.deliveries.length).toBeGreaterThanOrEqual(3)
  expect([failing.errors, failing.output].join()).not.toMatch(/whsec|\/hook/)
})

test('it says how long it waits after an attempt of an earlier run has failed', async () => {
  const { receiver, args } = await setup()
  receiver.react = () => ({ status: 503, headers: { 'retry-after': '86400' } })
  await runCommand('publish', [...args(), '--once'], signed)
  const errors = await failureOf(runCommand('publish', [...args(), '--once'], signed))

  expect(errors).toMatch(
    /^An earlier attempt failed; the first run that begins at least \d+ s from now will send batch msg_\S+ again\n$/,
  )
})

test('it finds the region of a bus as the AWS CLI does', async () => {
  const { args } = await setup(sooner)
  const bus = stopLater(await startBus())
  const env = {
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.baseUrl,
  }
  const { code, errors } = await runCommand('publish', [...args('eventbridge:orders'), '--once'], { env })

  expect({ code, errors }).toEqual({ code: 0, errors: expect.stringMatching(/^Delivered 40 changes/) })
  expect(bus.taken).toHaveLength(sooner.length)
})

test('it asks for the region of a bus, instead of waiting for a bus that it cannot reach', async () => {
  const { args } = await setup(sooner)

  const refusal = await refusalOf('publish', args('eventbridge:orders'))
  expect(refusal).toBe('No AWS region was found: set AWS_REGION')
})

test('a 410 ends the subscription, whenever it is run again', async () => {
  const { receiver, args } = await setup()
  receiver.react = () => ({ status: 410 })
  const first = await runCommand('publish', args(), signed)
  const second = await runCommand('publish', args(), signed)

  expect([first.code, second.code, receiver.deliveries.length]).toEqual([1, 1, 1])
  expect(second.output).toMatch(
    /the subscription has ended\. The receiver answered 410.* with another --state/,
  )
})

test('a file that is something else is no state', async () => {
  const { args } = await setup(sooner)
  const other = path.join(folder, 'other.txt')
  await writeFile(other, 'something else, long enough to be no database of SQLite\n'.repeat(20))

  expect(await failureOf(runCommand('publish', [...args(), '--state', other], signed))).toBe(
    `${other} is not the state file of a publication; choose another name for --state\n`,
  )
})

test('the receiver of the README works as it stands, through kills and an event that is removed', async () => {
  const { args, write, remove } = await setup(sooner)
  const [code = ''] = codeIn('lib/feed/publisher/README.md', 'js')
  await writeFile(path.join(folder, 'receiver.mjs'), code)
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const port = await freePort()
  const start = () =>
    startProcess(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { SECRET, PORT: String(port) },
      stdio: 'inherit',
    })
  const received = () => copiedRecords(path.join(folder, 'received.sqlite'))
  const command = [...args(`http://127.0.0.1:${port}/`), '--once']
  const publish = () => until(async () => (await runCommand('publish', command, signed)).code === 0)

  let receiver = start()
  await publish()
  expect(received()).toEqual(byId(sooner))
  receiver.child.kill('SIGKILL')
  await receiver.ended
  receiver = start()
  await write(later)
  await remove(sooner.slice(0, 1))
  await publish()
  receiver.child.kill()
  await receiver.ended
  expect(received()).toEqual(byId([...sooner.slice(1), ...later]))
})
