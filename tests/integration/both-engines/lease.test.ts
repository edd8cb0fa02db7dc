import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { type Clock, timeLimit } from '../../../lib/store/clock.ts'
import { LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { acquireLease } from '../../../lib/store/leases/acquire-lease.ts'
import { fenceClient } from '../../../lib/store/leases/fence-client.ts'
import { LeaseLostError } from '../../../lib/store/leases/lease-errors.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { internalError, isWrite, lostAnswer, pass } from '../../support/faults/faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'
import { storedItems } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const SCOPE = { contracts: 'any' as const, fromBlock: 0 }
const CHECKPOINT = { blockNumber: 5, blockHash: `0x${'05'.repeat(32)}`, timestamp: 50 }

const LEASE_MS = 30_000

/** Machines that share a table and a clock. */
function setup() {
  const clock = createIdleClock()
  const client = clock.watchClient(localClient(engine.endpoint))
  const lease = (
    tableName: string,
    ofMachine: Clock = clock,
    options: { signal?: AbortSignal; leaseMs?: number } = {},
  ) => acquireLease({ client, tableName, network: 'base', scope: SCOPE, clock: ofMachine, ...options })
  /** Waits for the lease at most this long, on a separate machine that was just started. */
  async function waitFor(tableName: string, ms: number) {
    const startedAt = clock.now()
    const machine: Clock = { now: () => clock.now() - startedAt, sleep: clock.sleep }
    const limit = timeLimit(ms, { clock, reason: new Error('The time is up') })
    return lease(tableName, machine, { signal: limit.signal }).finally(limit.end)
  }
  /** A machine whose processes sleep, and whose own clock stands still, while it is suspended and time passes. */
  function suspendable(): Clock & { suspend(): void } {
    let suspendedAt: number | undefined
    return {
      now: () => suspendedAt ?? clock.now(),
      system: clock.now,
      async sleep(ms, signal) {
        await clock.sleep(ms, signal)
        while (suspendedAt !== undefined && !signal?.aborted) await clock.sleep(LEASE_MS, signal)
      },
      suspend() {
        suspendedAt = clock.now()
      },
    }
  }
  return { clock, lease, suspendable, waitFor }
}

test('a renewal between two waits makes the first of no account', async () => {
  const tableName = await engine.createEventsTable()
  const { clock, lease, waitFor } = setup()
  const first = await lease(tableName, clock, { leaseMs: 10 * LEASE_MS })
  await expect(waitFor(tableName, LEASE_MS)).rejects.toThrow('The time is up')
  await first.moveCheckpoint(CHECKPOINT)
  await first.end({ release: false })

  await expect(waitFor(tableName, 9.5 * LEASE_MS)).rejects.toThrow('The time is up')
})

test('a writer that was suspended goes on, unless it was replaced: it then cannot write any more', async () => {
  const tableName = await engine.createEventsTable()
  const { clock, lease, suspendable } = setup()
  const machine = suspendable()
  const stale = await lease(tableName, machine)
  const writer = clock.watchClient(localClient(engine.endpoint))
  fenceClient(writer, stale.ensureHeld)
  machine.suspend()
  await clock.sleep(2 * LEASE_MS)
  await write(writer, tableName, 'before')
  const next = await lease(tableName)

  await expect(write(writer, tableName, 'after')).rejects.toThrow(LeaseLostError)
  await expect(stale.moveCheckpoint(CHECKPOINT)).rejects.toThrow(LeaseLostError)

  const items = await storedItems(engine.client, tableName)
  expect(items.map(item => item[LIST_KEY])).toEqual(['before', 'checkpoints'])
  expect(stale.signal.aborted).toBe(true)
  expect(items.at(-1)).not.toHaveProperty('blockNumber')
  await Promise.all([stale.end({ release: true }), next.end({ release: true })])
  writer.destroy()
})

describe('behind a network that fails', () => {
  const startFaultProxy = useFaultProxies()

  test('the fence is passed again before a request is repeated', async () => {
    const tableName = await engine.createEventsTable()
    let writes = 0
    const proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
      (isWrite(request) && writes++ < 2 ? internalError : pass)(request, forward),
    )
    const writer = localClient(proxy.url)
    let passed = 0
    const fenced = fenceClient(writer, async () => {
      passed += 1
    })

    await write(writer, tableName, 'once')

    expect([passed, fenced.isQuiet(60_000)]).toEqual([3, true])
    writer.destroy()
  })

  test('an answer that is lost leaves no doubt about who holds the lease', async () => {
    const tableName = await engine.createEventsTable()
    let writes = 0
    const proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
      (isWrite(request) && writes++ === 0 ? lostAnswer : pass)(request, forward),
    )
    const client = localClient(proxy.url)

    const held = await acquireLease({ client, tableName, network: 'base', scope: SCOPE })

    expect(held.fence).toBe(1)
    await held.end({ release: true })
    client.destroy()
  })
})

const write = (client: DynamoDBClient, TableName: string, list: string) =>
  client.send(new PutItemCommand({ TableName, Item: { [LIST_KEY]: { S: list }, [PLACE_KEY]: { S: '0' } } }))
