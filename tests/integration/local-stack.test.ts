import path from 'node:path'
import { engineName, useEngine } from '../support/engine.ts'
import { idsServedBy, type PlacedStack, useLocalStacks } from '../support/local-stack.ts'
import { descendantsOf, survivorsOf } from '../support/process-family.ts'

const START_TIMEOUT_MS = 60_000

const runningEngine = useEngine()
const { folder, run, stopAll, eventFile } = useLocalStacks()
const few = eventFile(0, 30)
const others = eventFile(30, 50)
const many = eventFile(0, 300)
const engine = ['--engine', engineName()]

afterEach(stopAll)

test(
  'keeps its events for the next start, until other files are named or --fresh is given',
  async () => {
    const dataDir = ['--data-dir', path.join(folder, 'kept')]
    const first = await run([...engine, ...dataDir, '--events', few.name])
    await first.untilReady()
    expect(await endBySignal(first, 'SIGINT')).toBe(0)

    const second = await run([...engine, ...dataDir, '--events', few.name])
    await second.untilReady()
    expect(second.output()).not.toContain('Loading')
    expect(await idsServedBy(second)).toEqual(few.ids)
    expect(await endBySignal(second, 'SIGTERM')).toBe(0)

    const third = await run([...engine, ...dataDir, '--events', others.name])
    await third.untilReady()
    expect(await idsServedBy(third)).toEqual(others.ids)
    expect(await endBySignal(third, 'SIGKILL')).toBe(null)

    const fourth = await run([...engine, ...dataDir, '--events', others.name, '--fresh'])
    await fourth.untilReady()
    expect(fourth.output()).toContain('Loading')
    expect(await idsServedBy(fourth)).toEqual(others.ids)
    expect(await endByLosingAPart(fourth)).toBe(1)
    expect(fourth.errors()).toMatch(/^The (engine|API) .*ended \(SIGKILL\).*\n$/)
  },
  2 * START_TIMEOUT_MS,
)

test(
  'lets no request in while loading, and completes a load that was interrupted',
  async () => {
    const options = [...engine, '--events', many.name, '--data-dir', path.join(folder, 'interrupted')]
    const interrupted = await run(options)
    await interrupted.untilPrinted('Loading')
    await expect(fetch(interrupted.url)).rejects.toThrow('fetch failed')
    interrupted.process.kill('SIGKILL')
    await interrupted.ended
    const stack = await run(options)
    await stack.untilReady()

    expect(interrupted.output()).not.toContain('loaded')
    expect(await idsServedBy(stack)).toEqual(many.ids)
  },
  START_TIMEOUT_MS,
)

test(
  'fills a DynamoDB that runs already, and does not replace what it holds without --fresh',
  async () => {
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
  },
  START_TIMEOUT_MS,
)

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
  expect(await survivorsOf(family)).toEqual([])
  await expect(fetch(stack.url)).rejects.toThrow('fetch failed')
  return exitCode
}
