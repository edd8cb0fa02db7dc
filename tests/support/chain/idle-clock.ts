import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'

/** The real pause between two wake-ups. In this time a woken sleeper can start its work, which stops the clock. */
const PAUSE_MS = 2

interface Sleeper {
  wakeAt: number
  wake: () => void
}

/**
 * Creates a simulated clock for code that alternates between work and sleep. The clock stops during work, and jumps to
 * the next wake-up when everything sleeps. A wait of half a minute therefore takes no time, and a slow machine causes
 * no timeouts.
 */
export function createIdleClock() {
  let now = 0
  let pause: NodeJS.Timeout | undefined
  const sleepers = new Set<Sleeper>()
  const underWay = new Set<Promise<unknown>>()

  function goOn() {
    clearTimeout(pause)
    if (underWay.size === 0 && sleepers.size > 0) pause = setTimeout(wakeNext, PAUSE_MS)
  }
  function wakeNext() {
    const [next] = [...sleepers].toSorted((a, b) => a.wakeAt - b.wakeAt)
    if (!next) return
    now = next.wakeAt
    sleepers.delete(next)
    next.wake()
    goOn()
  }
  async function during<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    clearTimeout(pause)
    try {
      return await work
    } finally {
      underWay.delete(work)
      goOn()
    }
  }
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal?.throwIfAborted()
        const sleeper = { wakeAt: now + ms, wake }
        function wake() {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        function stop() {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', stop)
        sleepers.add(sleeper)
        goOn()
      }),
    /** Makes the client's requests stop the clock, and returns the client. */
    watchClient(client: DynamoDBClient) {
      client.middlewareStack.add(next => request => during(next(request)), { step: 'initialize' })
      return client
    },
    watchNode: (node: ChainNode): ChainNode => ({
      name: node.name,
      request: (...parameters) => during(node.request(...parameters)),
    }),
    /** Lets the clock run despite unfinished work. Call this if the work will never end. */
    hang() {
      underWay.clear()
      goOn()
    },
  }
}
