import { setTimeout } from 'node:timers/promises'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { acquireLease } from '../../../lib/store/acquire-lease.ts'
import type { Clock } from '../../../lib/store/clock.ts'
import { fenceClient } from '../../../lib/store/fence-client.ts'
import { LeaseHeldError, LeaseLostError } from '../../../lib/store/lease-errors.ts'
import { fastClock } from '../../support/chain/index-chain.ts'
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { internalError, isWrite, lostAnswer, pass } from '../../support/faults/faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useEngine } from '../../support/store/engine.ts'
import { storedItems } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const SCOPE = { contracts: 'any' as const, fromBlock: 0 }
const CHECKPOINT = { blockNumber: 5, blockHash: `0x${'05'.repeat(32)}`, timestamp: 50 }

/** So that half a minute passes in 0.3 s. */
const fast = fastClock(100)

/** A machine that is paused at will: its time goes on, but nothing happens on it. */
function pausableClock(): Clock & { pause(): void } {
  let isPaused = false
  return {
    now: fast.now,
    async sleep(ms, signal) {
      await fast.sleep(ms, signal)
      while (isPaused && !signal?.aborted) await setTimeout(5)
    },
    pause() {
      isPaused = true
    },
  }
}

const lease = (tableName: string, clock: Clock = fast) =>
  acquireLease({ client: engine.client, tableName, network: 'base', scope: SCOPE, clock })

test('while its holder lives nobody else gets a lease, however long they wait', async () => {
  const tableName = await engine.createEventsTable()
  const first = await lease(tableName)

  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(lease(tableName)).rejects.toThrow(LeaseHeldError)
    await fast.sleep(30_000)
  }

  await first.moveCheckpoint(CHECKPOINT)
  await first.end({ release: true })
  const second = await lease(tableName)
  expect(second.fence).toBe(first.fence + 1)
  expect(second.checkpoint).toEqual(CHECKPOINT)
  await second.end({ release: true })
})

test('of many that ask at once, one gets it', async () => {
  const tableName = await engine.createEventsTable()

  const results = await Promise.allSettled([1, 2, 3, 4].map(() => lease(tableName)))

  const held = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  expect(held).toHaveLength(1)
  await held[0]?.end({ release: true })
})

test('a holder that ends without a word is replaced after the time of its lease, not before', async () => {
  const tableName = await engine.createEventsTable()
  const first = await lease(tableName)
  await first.end({ release: false })
  const askedAt = fast.now()

  const second = await lease(tableName)

  expect(fast.now() - askedAt).toBeGreaterThanOrEqual(30_000)
  expect(second.fence).toBe(first.fence + 1)
  await second.end({ release: true })
})

test('a writer that was paused and replaced cannot write any more', async () => {
  const tableName = await engine.createEventsTable()
  const clock = pausableClock()
  const stale = await lease(tableName, clock)
  const writer = clientOf(engine.endpoint)
  fenceClient(writer, stale.ensureHeld)
  await write(writer, tableName, 'before')
  clock.pause()
  const next = await lease(tableName)

  await expect(write(writer, tableName, 'after')).rejects.toThrow(LeaseLostError)
  await expect(stale.moveCheckpoint(CHECKPOINT)).rejects.toThrow(LeaseLostError)

  const items = await storedItems(engine.client, tableName)
  expect(items.map(({ list }) => list)).toEqual(['before', 'checkpoints'])
  expect(stale.signal.aborted).toBe(true)
  expect(items.at(-1)).not.toHaveProperty('blockNumber')
  await Promise.all([stale.end({ release: true }), next.end({ release: true })])
  writer.destroy()
})

test('a writer that was paused and not replaced goes on', async () => {
  const tableName = await engine.createEventsTable()
  const clock = pausableClock()
  const held = await lease(tableName, clock)
  clock.pause()
  await fast.sleep(60_000)

  await expect(held.ensureHeld()).resolves.toBeUndefined()

  await held.end({ release: true })
})

describe('behind a network that fails', () => {
  let proxy: FaultProxy | undefined
  afterEach(() => proxy?.stop())

  test('the fence is passed again before a request is repeated', async () => {
    const tableName = await engine.createEventsTable()
    let writes = 0
    proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
      (isWrite(request) && writes++ < 2 ? internalError : pass)(request, forward),
    )
    const writer = clientOf(proxy.url)
    let passed = 0
    const fenced = fenceClient(writer, async () => {
      passed += 1
    })

    await write(writer, tableName, 'once')

    expect(passed).toBe(3)
    expect(fenced.isQuiet(60_000)).toBe(true)
    writer.destroy()
  })

  test('an answer that is lost leaves no doubt about who holds the lease', async () => {
    const tableName = await engine.createEventsTable()
    let writes = 0
    proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
      (isWrite(request) && writes++ === 0 ? lostAnswer : pass)(request, forward),
    )
    const client = clientOf(proxy.url)

    const held = await acquireLease({ client, tableName, network: 'base', scope: SCOPE, clock: fast })

    expect(held.fence).toBe(1)
    await held.end({ release: true })
    client.destroy()
  })
})

const clientOf = (endpoint: string) =>
  new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })

const write = (client: DynamoDBClient, TableName: string, list: string) =>
  client.send(new PutItemCommand({ TableName, Item: { list: { S: list }, place: { S: '0' } } }))
