import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StatementSync } from 'node:sqlite'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import { createClientFeed } from '../../../lib/feed/publisher/change-feed.ts'
import { openPublisherFile } from '../../../lib/feed/publisher/state-file.ts'
import { createFastClock } from '../../support/publisher/fast-clock.ts'
import { publishOnce, publishUntilDelivered, statesInMemory } from '../../support/publisher/publish-once.ts'
import { startReceiver } from '../../support/publisher/receiver.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStops } from '../../support/runner/use-started.ts'

const { jest } = import.meta
const folder = useFolder()
const minted = { change: 'added' as const, record: makeEvent('Minted') }
const page = (changes: unknown[]) => () =>
  new Response(JSON.stringify(changes), { headers: { Link: '</v1/changes?cursor=a>; rel="next"' } })
const failing = (status: number, body: string) => () => new Response(body, { status })
const own = (kind: string) =>
  JSON.stringify({ type: `https://x.example/docs#${kind}`, detail: 'No', errors: [] })

const stopLater = useStops()

const feedFrom = (fetch: () => Promise<Response>) =>
  createClientFeed(createEventsClient('http://service.example', { retries: 0, fetch }))

async function publish(answers: (() => Response)[]) {
  const receiver = stopLater(await startReceiver())
  const clock = createFastClock()
  let asked = 0
  const feed = feedFrom(async () => (answers[asked++] ?? answers.at(-1))?.() as Response)
  const told = await publishUntilDelivered({ to: receiver.url, feed, clock })
  return { ...told, pauses: clock.pauses, delivered: receiver.deliveries.length }
}

test('whatever a gateway answers is waited out with growing pauses, reported once, and ends no subscription', async () => {
  const { served, troubles, pauses, delivered } = await publish([
    failing(500, own('internal-error')),
    failing(403, '{"message":"Forbidden"}'),
    failing(410, '{"type":"about:blank","title":"Gone"}'),
    failing(404, '<h1>Nothing here</h1>'),
    failing(200, '<h1>Soon back</h1>'),
    page([minted]),
  ])

  expect(served).toMatchObject({ delivered: 1, ended: undefined, error: undefined })
  expect(delivered).toBe(1)
  expect(troubles).toEqual(['The feed of changes cannot be read at the moment: 500: No'])
  expect(pauses.map(ms => Math.round(Math.log2(ms / 1000)) + 0)).toEqual([0, 1, 2, 3, 4])
})

test('why no service answers is said in words', async () => {
  const refuse = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
  }
  const { troubles } = await publish([refuse, page([minted])])

  expect(troubles).toEqual([
    'The feed of changes cannot be read at the moment: http://service.example did not answer: the connection was refused',
  ])
})

test("only the service's own problem ends a subscription or its run", async () => {
  const expired = await publish([failing(410, own('cursor-expired'))])
  const refused = await publish([failing(400, own('invalid-query'))])

  const reason = /^Its cursor is too old.* \(in npm run publish, with another --state\)/
  expect(expired.served?.ended).toMatch(reason)
  expect(refused.served).toMatchObject({ ended: undefined, error: { name: 'InvalidParametersError' } })
})

test('a disk that is full is waited out, and no batch is sent before it is stored', async () => {
  const receiver = stopLater(await startReceiver())
  const states = openPublisherFile(path.join(folder, 'full.state'))
  const sentBeforePauses: number[] = []
  const clock = createFastClock()
  async function sleep(ms: number) {
    if (sentBeforePauses.push(receiver.deliveries.length) === 3) full.mockRestore()
    await clock.sleep(ms)
  }
  const full = jest.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  })
  const run = { to: receiver.url, feed: feedFrom(async () => page([minted])()), states }
  const [once] = await publishOnce(run)
  const { served, troubles } = await publishUntilDelivered({ ...run, clock: { now: clock.now, sleep } })
  states.close()

  const reason = `The progress cannot be stored at the moment: Can't write ${path.join(folder, 'full.state')}: database or disk is full`
  expect([once?.error?.message, ...troubles]).toEqual([reason, reason])
  expect(sentBeforePauses).toEqual([0, 0, 0])
  expect(served).toMatchObject({ delivered: 1, error: undefined })
})

test('a state file that is damaged is named, because SQLite does not say which file is damaged', () => {
  const file = path.join(folder, 'damaged.state')
  openPublisherFile(file).close()
  writeFileSync(file, readFileSync(file).fill(0, 100))

  expect(() => openPublisherFile(file)).toThrow(`${file} is damaged; choose another name for --state`)
})

test.each(['', '\0'])(
  'a state file with the content %j is refused, because its state may be lost',
  content => {
    const file = path.join(folder, 'empty.state')
    writeFileSync(file, content)

    expect(() => openPublisherFile(file)).toThrow(`${file} is empty, so any state that it contained is lost`)
  },
)

test('a pause that a wrong clock has stored for the far future does not stop deliveries', async () => {
  const { url, deliveries } = stopLater(await startReceiver({ react: () => ({ status: 500 }) }))
  const states = statesInMemory()
  const read = async () => ({ changes: [minted], next: 'a', isPartial: false, isUpToDate: false })
  await publishOnce({ to: url, feed: { read }, states })
  const state = JSON.parse(states.texts.get('test') ?? '')
  states.texts.set('test', JSON.stringify({ ...state, retryAt: Date.now() + 3_000_000_000 }))
  await publishOnce({ to: url, feed: { read }, states })

  expect(deliveries).toHaveLength(2)
})

test('a clock that is set back during a pause does not make the pause longer', async () => {
  const clock = createFastClock()
  const react = () => (clock.pauses.length === 0 ? 'resets' : 'accepts')
  const { url, deliveries } = stopLater(await startReceiver({ react }))
  async function sleepAndSetBack(ms: number) {
    await clock.sleep(ms)
    if (clock.pauses.length === 1) clock.pass(-7_200_000)
  }
  const feed = feedFrom(async () => page([minted])())
  await publishUntilDelivered({ to: url, feed, clock: { now: clock.now, sleep: sleepAndSetBack } })

  expect(deliveries).toHaveLength(2)
  expect(Math.max(...clock.pauses)).toBeLessThan(2000)
})

test('a clock that is set back does not keep a subscription without changes from storing its place', async () => {
  const clock = createFastClock()
  const states = statesInMemory()
  const stop = new AbortController()
  const placesStored: (string | undefined)[] = []
  let reads = 0
  async function read() {
    reads += 1
    if (reads === 2) clock.pass(-86_400_000)
    if (reads === 60) stop.abort()
    placesStored.push(states.texts.get('test'))
    return { changes: [], next: `place ${reads}`, isPartial: false, isUpToDate: true }
  }
  const to = 'https://receiver.example'
  await publishOnce({ to, feed: { read }, states, once: false, stop: stop.signal, clock })

  expect(new Set(placesStored).size).toBeGreaterThan(3)
})
