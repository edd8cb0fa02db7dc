import { createFreshness } from '../../../lib/http/freshness.ts'
import { OtherNetworksError, StoreUnavailableError } from '../../../lib/query/errors.ts'
import type { IndexedThrough } from '../../../lib/query/indexed-through.ts'
import { noCost } from '../../../lib/query/request-cost.ts'

const COST = { calls: 1, examined: 2, readUnits: 0.5 }

/** The test decides when each read of the checkpoints ends, and advances the clock. */
function setup() {
  let now = 0
  const reads: { resolve: (networks: IndexedThrough[]) => void; reject: (error: Error) => void }[] = []
  const freshness = createFreshness(
    () =>
      new Promise((resolve, reject) => {
        reads.push({ resolve: networks => resolve({ networks, ...COST }), reject })
      }),
    { now: () => now, maxWaitMs: 20, maxFinalityWaitMs: 40 },
  )
  return {
    freshness,
    reads,
    wait: (ms: number) => {
      now += ms
    },
    async ask() {
      const known = await freshness.current()
      const cost = noCost()
      freshness.charge(cost)
      return { ...known, cost }
    },
    /** Ends the newest read with this result, and returns the answer to the request. */
    ended<T>(asked: Promise<T>, result: IndexedThrough[] | Error): Promise<T> {
      const read = reads.at(-1)
      if (result instanceof Error) read?.reject(result)
      else read?.resolve(result)
      return asked
    },
  }
}

const at = (blockNumber: number): IndexedThrough[] => [
  { network: 'base', blockNumber, timestamp: 1, finalizedBlock: blockNumber },
]
const soon = () => new Promise(setImmediate)
const FAILURE = new Error('as arranged')

async function setupKnown(blockNumber: number) {
  const all = setup()
  return { ...all, first: await all.ended(all.ask(), at(blockNumber)) }
}

test('the first request waits for a read and pays for it, and requests within five seconds read nothing', async () => {
  const { first, ask, wait, reads } = await setupKnown(7)
  expect(first).toMatchObject({
    indexed: at(7),
    cost: { ...noCost(), calls: 1, rowsExamined: 2, readUnits: 0.5 },
  })

  wait(4999)
  expect(await ask()).toMatchObject({ indexed: at(7), cost: noCost() })
  await soon()
  expect(reads).toHaveLength(1)
})

test('checkpoints that are some seconds old are used while they are read again for later requests', async () => {
  const { ask, ended, wait, reads } = await setupKnown(7)

  wait(5000)
  for (const _ of ['one', 'another']) {
    expect(await ask()).toMatchObject({ indexed: at(7), cost: noCost() })
    expect(reads).toHaveLength(1)
  }
  await soon()
  await ended(soon(), at(9))

  expect(reads).toHaveLength(2)
  expect(await ask()).toMatchObject({ indexed: at(9), cost: { calls: 1 } })
})

test('checkpoints that are too old are not used, and a request does not wait forever', async () => {
  const { ask, wait } = await setupKnown(7)
  wait(30_000)

  expect((await ask()).indexed).toEqual([])
})

const NOW_MS = 1_700_000_000_000
/** Ten minutes for the index to catch up, and two minutes for the difference between clocks. */
const SETTLED_MS = 720_000
const noted = (...notes: [blockNumber: number, agoMs: number][]): IndexedThrough[] =>
  at(7).map(network => ({
    ...network,
    notes: notes.map(([blockNumber, agoMs]) => ({ at: (NOW_MS - agoMs) / 1000, blockNumber, timestamp: 1 })),
  }))

test.each([
  ['a note that is old enough', noted([5, SETTLED_MS], [9, 0]), 5],
  ['a note above the final block', noted([8, SETTLED_MS], [9, 0]), 7],
  ['no older note after a restart of the indexing', noted([9, SETTLED_MS - 1000]), -1],
  ['no notes, so it is unknown when an index has caught up', at(7), -1],
])('with %s, the final blocks are known to be complete up to a block', async (_, networks, last) => {
  const freshness = createFreshness(async () => ({ networks, ...COST }), { now: () => NOW_MS })

  expect((await freshness.current()).lastFinal).toEqual(new Map([['base', last]]))
})

test('after the clock was set back, the checkpoints are read again', async () => {
  const { ask, ended, wait } = await setupKnown(7)

  wait(-3_600_000)
  expect(await ended(ask(), at(8))).toMatchObject({ indexed: at(8) })

  wait(5000)
  await ask()
  await soon()
  await ended(soon(), at(9))
  expect((await ask()).indexed).toEqual(at(9))
})

test('a read that fails does not fail the request, and is tried again some seconds later', async () => {
  const { ask, ended, reads, wait } = setup()
  expect((await ended(ask(), FAILURE)).indexed).toEqual([])

  expect((await ask()).indexed).toEqual([])
  expect(reads).toHaveLength(1)

  wait(5000)
  expect((await ended(ask(), at(8))).indexed).toEqual(at(8))
})

test('a read that hangs delays only one request, and its result is used when it ends', async () => {
  const { ask, ended } = setup()
  expect((await ask()).indexed).toEqual([])

  await expect(Promise.race([ask(), soon().then(() => 'is waiting')])).resolves.toMatchObject({ indexed: [] })

  await ended(soon(), at(8))
  expect((await ask()).indexed).toEqual(at(8))
})

test('the first request waits for a read that began before it', async () => {
  const { freshness, ask, ended, reads } = setup()
  freshness.prefetch()

  expect((await ended(ask(), at(7))).indexed).toEqual(at(7))
  expect(reads).toHaveLength(1)
})

test('a request does not wait for a read that was frozen, and its result is never used', async () => {
  const { freshness, ask, ended, reads, wait } = setup()
  freshness.prefetch()
  wait(1000)
  expect((await ended(ask(), at(8))).indexed).toEqual(at(8))

  reads[0]?.resolve(at(7))
  await soon()

  expect(await ask()).toMatchObject({ indexed: at(8), cost: { calls: 1 } })
  expect(reads).toHaveLength(2)
})

test('a table of other networks is refused until a read succeeds, even if a read fails for another reason', async () => {
  const { ask, ended, wait } = setup()
  const refusal = new OtherNetworksError({ tableName: 'events', recorded: 'base', asked: 'all' })
  for (const error of [refusal, FAILURE]) {
    await expect(ended(ask(), error)).rejects.toThrow(refusal)
    wait(5000)
  }
  expect((await ended(ask(), at(7))).indexed).toEqual(at(7))
})

describe('the last final block', () => {
  test('is read again if another instance knows a higher one, which counts only if it is read', async () => {
    const { freshness, ended, reads } = await setupKnown(7)
    expect(await freshness.finality({ base: 7 })).toMatchObject({ indexed: at(7) })
    expect(reads).toHaveLength(1)

    expect(await ended(freshness.finality({ base: 8 }), at(9))).toMatchObject({ indexed: at(9) })
    expect(await ended(freshness.finality({ base: 10, polygon: 1 }), at(9))).toMatchObject({ indexed: at(9) })
  })

  test('cannot be told if this read fails, for the reason of the failure, or hangs', async () => {
    const { freshness, ended } = await setupKnown(7)
    await expect(ended(freshness.finality({ base: 8 }), FAILURE)).rejects.toThrow('as arranged')
    await ended(freshness.finality({ base: 8 }), at(8))

    await expect(freshness.finality({ base: 9 })).rejects.toThrow(StoreUnavailableError)
  })

  test('is worth a longer wait than a header', async () => {
    const { freshness, ask, ended } = setup()
    expect((await ask()).indexed).toEqual([])

    expect(await ended(freshness.finality({}), at(7))).toMatchObject({ indexed: at(7) })
  })
})
