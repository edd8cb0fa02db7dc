import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { ChainNode } from '../../../lib/ingest/chain/chain-node.ts'
import type { Clock } from '../../../lib/store/clock.ts'

export interface IdleClock extends Clock {
  /** Time stands still until this has ended. */
  during<T>(work: Promise<T>): Promise<T>
  /** Time stands still during the requests of this client. Returns it. */
  watchClient(client: DynamoDBClient): DynamoDBClient
  /** The same node; time stands still during its requests. */
  watchNode(node: ChainNode): ChainNode
  /** What is under way now gets no further: time goes on nevertheless. */
  hang(): void
}

/** Who has woken goes to work before any timer fires; nodes and engines are asked no faster than so. */
const PAUSE_MS = 2

interface Sleeper {
  wakeAt: number
  wake: () => void
}

/**
 * A clock of its own for what sleeps and works by turns. Its time stands still while there is work, however long
 * that takes, and goes at once to where the next one wakes when all are asleep. So half a minute's wait is over
 * in no time, and no wait is too short for a slow machine.
 */
export function createIdleClock(): IdleClock {
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
    sleep: (ms, signal) =>
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
    during,
    watchClient(client) {
      client.middlewareStack.add(next => request => during(next(request)), { step: 'initialize' })
      return client
    },
    watchNode: node => ({
      name: node.name,
      request: (...parameters) => during(node.request(...parameters)),
    }),
    hang() {
      underWay.clear()
      goOn()
    },
  }
}
