import path from 'node:path'
import { idsAt, idsServedBy, type PlacedStack, useLocalStacks } from '../support/programs/local-stack.ts'
import { descendantsOf, untilEnded } from '../support/programs/process-family.ts'
import { useTextFiles } from '../support/programs/text-files.ts'
import { makeEvent } from '../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../support/records/raw-log-of.ts'
import { useOwnEngine } from '../support/store/engine.ts'
import { engineName } from '../support/store/engine-name.ts'

const runningEngine = useOwnEngine()
const { folder, run, stopAll, eventFile } = useLocalStacks()
const few = eventFile(0, 30)
const others = eventFile(30, 50)
const writeText = useTextFiles()
/** The ids of the bundled events that happened. */
const real = new Set(eventFile(0, 1589).ids)
const engine = ['--engine', engineName()]

afterEach(stopAll)

test('keeps its events for later starts, refuses others, and forgets only with --fresh', async () => {
  const options = [...engine, '--data-dir', path.join(folder, 'kept')]
  const mistaken = await run([...options, '--events', 'README.md'])
  expect(await mistaken.ended).toBe(1)
  expect(mistaken.errors()).toMatch(/^No line of these files is a log of a known event$/m)

  const first = await run([...options, '--events', few.name])
  await first.untilReady()
  expect(await endBySignal(first, 'SIGINT')).toBe(0)

  const second = await run([...options, '--events', few.name])
  await second.untilReady()
  expect(second.output()).toContain('Events kept from earlier (--fresh forgets them)\n')
  expect(await idsServedBy(second)).toEqual(few.ids)
  expect(await endBySignal(second, 'SIGTERM')).toBe(0)

  const third = await run(options)
  await third.untilReady()
  expect(third.output()).toContain('Events kept from earlier, of other files (--fresh')
  expect(await idsServedBy(third)).toEqual(few.ids)
  expect(await endBySignal(third, 'SIGKILL')).toBe(null)

  const refused = await run([...options, '--events', others.name])
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/^The table in .+ holds other events; replace it with --fresh\n$/)

  const fourth = await run([...options, '--events', others.name, '--fresh'])
  await fourth.untilReady()
  expect(fourth.output()).toContain('Loading')
  expect(await idsServedBy(fourth)).toEqual(others.ids)
  expect(await endByLosingAPart(fourth)).toBe(1)
  expect(fourth.errors()).toMatch(/^The (engine|API) .*ended \(SIGKILL\).*\n$/)
})

test('prints requests that find real events, and functions that can be invoked', async () => {
  const stack = await run([...engine, '--data-dir', path.join(folder, 'bundled')])
  await stack.untilReady()
  const samples = [...stack.output().matchAll(/^ {2}curl '(.+)'$/gm)].map(match => String(match[1]))
  const shown = await Promise.all(samples.map(idsAt))
  const [, lambda, names = ''] = /Lambda +(\S+) \((.+)\)/.exec(stack.output()) ?? []

  expect(shown.flat().filter(id => real.has(id))).not.toEqual([])
  const [userEvents, tokenEvents] = names
    .split(', ')
    .map(name => `${lambda}/2015-03-31/functions/${name}/invocations`)
  expect(await post(userEvents, { address: `0x${'a'.repeat(40)}` })).toHaveProperty('events', [])
  expect(await post(tokenEvents, { query: { limit: 1 } })).toHaveProperty('events.0.id')
})

test('lets no request in while loading, and begins anew after a load that was interrupted', async () => {
  const options = [...engine, '--data-dir', path.join(folder, 'interrupted')]
  const endless = await writeText(
    'endless.ndjson',
    ndjson(Array.from({ length: 50_000 }, (_, at) => logAt(at))),
  )
  const interrupted = await run([...options, '--events', endless])
  await interrupted.untilPrinted('Loading')
  await expect(fetch(interrupted.url)).rejects.toThrow('fetch failed')
  interrupted.process.kill('SIGKILL')
  await interrupted.ended
  const stack = await run([...options, '--events', few.name])
  await stack.untilReady()

  expect(interrupted.output()).not.toContain('loaded')
  expect(await idsServedBy(stack)).toEqual(few.ids)
})

/** One of so many events that loading them takes minutes. */
const logAt = (logIndex: number) => rawLogOf(makeEvent('OwnershipTransferred', { logIndex }))

test('fills a DynamoDB that runs already, and does not replace what it holds without --fresh', async () => {
  const { endpoint } = runningEngine
  const options = ['--endpoint', endpoint, '--data-dir', path.join(folder, 'endpoint')]
  const stack = await run([...options, '--events', few.name])
  await stack.untilReady()
  expect(await idsServedBy(stack)).toEqual(few.ids)
  await stopAll()

  const refused = await run([...options, '--events', others.name])
  expect(await refused.ended).toBe(1)
  expect(refused.errors()).toBe(
    `The table events at ${endpoint} holds other events; replace it with --fresh\n`,
  )
})

async function post(url = '', payload: object): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(payload) })
  return answer.json()
}

/** Ends the stack and returns its exit code, once nothing is left of it. */
async function endBySignal(stack: PlacedStack, signal: NodeJS.Signals): Promise<number | null> {
  const family = descendantsOf(stack.process.pid)
  stack.process.kill(signal)
  return endWithNothingLeft(stack, family)
}

async function endByLosingAPart(stack: PlacedStack): Promise<number | null> {
  const family = descendantsOf(stack.process.pid)
  process.kill(Number(family[0]), 'SIGKILL')
  return endWithNothingLeft(stack, family)
}

async function endWithNothingLeft(stack: PlacedStack, family: number[]): Promise<number | null> {
  const exitCode = await stack.ended
  expect(family.length).toBeGreaterThanOrEqual(2)
  await untilEnded(family)
  await expect(fetch(stack.url)).rejects.toThrow('fetch failed')
  return exitCode
}
