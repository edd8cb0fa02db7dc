import { createFreshness } from '../../../lib/http/freshness.ts'
import { OtherNetworksError, StoreUnavailableError } from '../../../lib/query/errors.ts'
import type { IndexedThrough } from '../../../lib/query/indexed-through.ts'
import { noCost } from '../../../lib/query/request-cost.ts'

const COST = { calls: 1, examined: 2, readUnits: 0.5 }

/** The test decides when each read of the checkpoints ends, and advances the clock. */
function setup() {
  let now = 0
  const readings: { resolve: (networks: IndexedThrough[]) => void; reject: (error: Error) => void }[] = []
  const freshness = createFreshness(
    () =>
      new Promise((resolve, reject) => {
        readings.push({ resolve: networks => resolve({ networks, ...COST }), reject })
      }),
    { now: () => now, maxWaitMs: 20, maxFinalityWaitMs: 40 },
  )
  return {
    freshness,
    readings,
    wait: (ms: number) => {
      now += ms
    },
    async ask() {
      const known = await freshness.current()
      const cost = noCost()
      freshness.charge(cost)
      return { ...known, cost }
    },
  }
}

const at = (blockNumber: number): IndexedThrough[] => [
  { network: 'base', blockNumber, timestamp: 1, finalizedBlock: blockNumber },
]
const finalTo = (blockNumber: number) => new Map([['base', blockNumber]])
const soon = () => new Promise(setImmediate)

async function setupKnown(blockNumber: number) {
  const all = setup()
  const asked = all.ask()
  all.readings[0]?.resolve(at(blockNumber))
  return { ...all, first: await asked }
}

test('the first request waits for a read of the checkpoints and pays for it', async () => {
  const { first } = await setupKnown(7)

  expect(first.indexed).toEqual(at(7))
  expect(first.cost).toEqual({ ...noCost(), calls: 1, rowsExamined: 2, readUnits: 0.5 })
})

test('requests within the next seconds read nothing', async () => {
  const { ask, wait, readings } = await setupKnown(7)

  wait(4999)

  const { indexed, cost } = await ask()
  await soon()
  expect(indexed).toEqual(at(7))
  expect(cost).toEqual(noCost())
  expect(readings).toHaveLength(1)
})

test('checkpoints that are some seconds old are used while they are read again for later requests', async () => {
  const { ask, wait, readings } = await setupKnown(7)

  wait(5000)
  expect(await ask()).toMatchObject({ indexed: at(7), cost: noCost() })
  expect(await ask()).toMatchObject({ indexed: at(7), cost: noCost() })
  expect(readings).toHaveLength(1)
  await soon()
  expect(readings).toHaveLength(2)
  readings[1]?.resolve(at(9))
  await soon()

  const next = await ask()
  expect(next.indexed).toEqual(at(9))
  expect(next.cost.calls).toBe(1)
})

test('checkpoints that are too old are not used, and a request does not wait forever', async () => {
  const { ask, wait } = await setupKnown(7)

  wait(30_000)

  expect((await ask()).indexed).toEqual([])
})

test('notes of when blocks were stored show which final blocks are complete', async () => {
  const NOW_MS = 1_700_000_000_000
  /** Ten minutes for an index's lag, and two minutes for the difference between clocks. */
  const SETTLED_MS = 720_000
  const known = async (networks: IndexedThrough[]) => {
    const freshness = createFreshness(async () => ({ networks, ...COST }), { now: () => NOW_MS })
    return (await freshness.current()).lastFinal
  }
  const noted = (...notes: [blockNumber: number, agoMs: number][]): IndexedThrough[] => [
    {
      network: 'base',
      blockNumber: 9,
      timestamp: 1,
      finalizedBlock: 7,
      notes: notes.map(([blockNumber, agoMs]) => ({
        at: (NOW_MS - agoMs) / 1000,
        blockNumber,
        timestamp: 1,
      })),
    },
  ]

  expect(await known(noted([5, SETTLED_MS], [9, 0]))).toEqual(finalTo(5))
  expect(await known(noted([8, SETTLED_MS], [9, 0]))).toEqual(finalTo(7))
  // After a restart of the indexing, there are no older notes, so no block is known to be final any longer.
  expect(await known(noted([9, SETTLED_MS - 1000]))).toEqual(finalTo(-1))
  // Without notes from a writer, it is unknown when an index has caught up with the writer's blocks.
  expect(await known(at(7))).toEqual(finalTo(-1))
})

test('after the clock was set back, the checkpoints are read again', async () => {
  const { ask, wait, readings } = await setupKnown(7)

  wait(-3_600_000)
  const asked = ask()
  readings[1]?.resolve(at(8))
  expect(await asked).toMatchObject({ indexed: at(8) })

  wait(5000)
  await ask()
  await soon()
  readings[2]?.resolve(at(9))
  await soon()
  expect((await ask()).indexed).toEqual(at(9))
})

test('a read that fails does not fail the request, and is tried again some seconds later', async () => {
  const { ask, readings, wait } = setup()
  const asked = ask()
  readings[0]?.reject(new Error('as arranged'))
  expect((await asked).indexed).toEqual([])

  expect((await ask()).indexed).toEqual([])
  expect(readings).toHaveLength(1)

  wait(5000)
  const again = ask()
  readings[1]?.resolve(at(8))
  expect((await again).indexed).toEqual(at(8))
})

test('a read that hangs delays only one request, and its result is used when it ends', async () => {
  const { ask, readings } = setup()
  expect((await ask()).indexed).toEqual([])

  await expect(Promise.race([ask(), soon().then(() => 'is waiting')])).resolves.toMatchObject({ indexed: [] })

  readings[0]?.resolve(at(8))
  await soon()
  expect((await ask()).indexed).toEqual(at(8))
})

test('the first request waits for a read that began before it', async () => {
  const { freshness, ask, readings } = setup()
  freshness.prefetch()
  const asked = ask()
  readings[0]?.resolve(at(7))

  expect((await asked).indexed).toEqual(at(7))
  expect(readings).toHaveLength(1)
})

test('a request does not wait for a read that was frozen, and its result is never used', async () => {
  const { freshness, ask, readings, wait } = setup()
  freshness.prefetch()
  wait(1000)
  const asked = ask()
  readings[1]?.resolve(at(8))
  expect((await asked).indexed).toEqual(at(8))

  readings[0]?.resolve(at(7))
  await soon()
  const { indexed, cost } = await ask()

  expect(indexed).toEqual(at(8))
  expect(cost.calls).toBe(1)
  expect(readings).toHaveLength(2)
})

test('a table of other networks is refused until a read succeeds, even if a read fails for another reason', async () => {
  const { ask, readings, wait } = setup()
  const refusal = new OtherNetworksError({ tableName: 'events', recorded: 'base', asked: 'all' })
  for (const error of [refusal, new Error('as arranged')]) {
    const asked = ask()
    readings.at(-1)?.reject(error)
    await expect(asked).rejects.toThrow(refusal)
    wait(5000)
  }
  const asked = ask()
  readings.at(-1)?.resolve(at(7))
  expect((await asked).indexed).toEqual(at(7))
})

describe('the last final block', () => {
  test('is read again if another instance knows a higher one', async () => {
    const { freshness, readings } = await setupKnown(7)
    expect(await freshness.finality({ base: 7 })).toMatchObject({ indexed: at(7) })
    expect(readings).toHaveLength(1)

    const asked = freshness.finality({ base: 8 })
    readings[1]?.resolve(at(9))
    expect(await asked).toMatchObject({ indexed: at(9) })
  })

  test('is the one that is read, even if another instance knows a higher one', async () => {
    const { freshness, readings } = await setupKnown(7)
    const asked = freshness.finality({ base: 8, polygon: 1 })
    readings[1]?.resolve(at(7))

    expect(await asked).toMatchObject({ indexed: at(7) })
  })

  test('cannot be told if this read fails, for the reason of the failure, or hangs', async () => {
    const { freshness, readings } = await setupKnown(7)
    const failing = freshness.finality({ base: 8 })
    readings[1]?.reject(new Error('as arranged'))
    await expect(failing).rejects.toThrow('as arranged')
    const again = freshness.finality({ base: 8 })
    readings[2]?.resolve(at(8))
    await again

    await expect(freshness.finality({ base: 9 })).rejects.toThrow(StoreUnavailableError)
  })

  test('is worth a longer wait than a header', async () => {
    const { freshness, ask, readings } = setup()
    expect((await ask()).indexed).toEqual([])
    const asked = freshness.finality({})
    readings[0]?.resolve(at(7))

    expect(await asked).toMatchObject({ indexed: at(7) })
  })
})
