import { CursorExpiredError, createEventsClient } from '../../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import type { Finality } from '../../../support/oracle/oracle.ts'
import type { Random } from '../../../support/records/random.ts'
import type { ReaderPlan } from '../../life.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { startJob } from '../../start-job.ts'
import type { Reader, World } from '../../world.ts'
import { blocksUntilNow, expire, newReader } from './start-readers.ts'

/** An eager reader polls this many times with only short pauses. */
const MOST_EAGER_POLLS = 40
const EAGER_PAUSE_MS = 40
const PAUSE_MS = 8000

interface CarelessPlan extends ReaderPlan {
  finalized: boolean
  from: 'beginning' | 'now'
}

export const drawCareless = (random: Random): Omit<CarelessPlan, keyof ReaderPlan> => ({
  finalized: random.chance(0.3),
  from: random.chance(0.7) ? 'beginning' : 'now',
})

/**
 * Keeps a copy as carelessly as the interface allows: it requests pages of any size, discards some pages, and applies
 * other pages but loses their cursors. Ends as soon as a request fails.
 */
export function createCarelessReader(world: World, plan: ReaderPlan): Reader {
  const { gate, life } = world
  const { finalized, from } = plan as CarelessPlan
  const records = new Map<string, EventRecord>()
  let since: Finality | undefined
  let cursor: string | undefined
  const start = ({ once }: { once: boolean }) =>
    startJob(world, {
      kind: 'careless',
      name: plan.name,
      work: async job => {
        const client = createEventsClient(SERVICE_URL, { retries: 0 })
        for (let polls = 0; !job.stop.signal.aborted; ) {
          const { random } = gate
          const query = {
            ...plan.scope,
            limit: 1 + random.below(random.pick([3, 40])),
            cursor,
            from,
            ...(finalized && { finalized }),
          }
          const begunAt = gate.now()
          const page = await client.changePage(query, { signal: job.stop.signal }).catch(error => {
            if (!(error instanceof CursorExpiredError)) throw error
          })
          if (!page) {
            expire(world, reader)
            if (from === 'now') {
              reader.ended = 'Its cursor is too old'
              return
            }
            records.clear()
            cursor = undefined
            continue
          }
          const mishap = gate.faults.died > 0 ? random.next() : 1
          if (mishap < 0.05) continue
          for (const { change, record } of page.changes) {
            if (change === 'added') records.set(record.id, record as unknown as EventRecord)
            else if (!finalized) records.delete(record.id)
          }
          if (mishap < 0.1) continue
          cursor = page.next
          if (from === 'now') since ??= blocksUntilNow(world, { finalized })
          if (page.isUpToDate) reader.readAt = begunAt
          if (page.isUpToDate && once) return
          polls += 1
          const pauseMs = life.isEager && polls < MOST_EAGER_POLLS ? EAGER_PAUSE_MS : PAUSE_MS
          if (page.isUpToDate) await new Promise(resolve => setTimeout(resolve, 1 + random.below(pauseMs)))
        }
      },
    })
  const reader: Reader = {
    ...newReader(world, plan),
    start,
    hold: async () => ({ records, finalized, since }),
  }
  return reader
}
