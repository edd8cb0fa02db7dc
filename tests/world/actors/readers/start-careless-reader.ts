import { CursorExpiredError, createEventsClient } from '../../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { expire, type Job, type ReaderRemains, startJob, type World } from '../../world.ts'

/** An eager reader asks this often without a pause. */
const MOST_EAGER_POLLS = 40
const EAGER_PAUSE_MS = 40
const PAUSE_MS = 8000

/**
 * Starts a consumer that keeps a copy as carelessly as the interface allows: it asks for pages of any size, forgets
 * pages that it has read, and applies pages whose cursor it then loses. It ends as soon as a request fails.
 */
export function startCarelessReader(world: World, remains: ReaderRemains, { once }: { once: boolean }): Job {
  const { gate, life } = world
  const { plan, copy } = remains
  return startJob(world, {
    kind: 'careless',
    name: plan.name,
    work: async job => {
      const client = createEventsClient(SERVICE_URL, { retries: 0 })
      for (let polls = 0; !job.stop.signal.aborted; ) {
        const { random } = gate
        const query = {
          ...plan.scope,
          limit: 1 + random.below(random.pick([3, 40])),
          cursor: copy.cursor,
          from: 'beginning' as const,
        }
        const begunAt = gate.now()
        const page = await client.changePage(query, { signal: job.stop.signal }).catch(error => {
          if (!(error instanceof CursorExpiredError)) throw error
        })
        if (!page) {
          expire(world, remains)
          copy.records.clear()
          copy.cursor = undefined
          continue
        }
        const mishap = gate.faults.died > 0 ? random.next() : 1
        if (mishap < 0.05) continue
        for (const { change, record } of page.changes) {
          if (change === 'added') copy.records.set(record.id, record as unknown as EventRecord)
          else copy.records.delete(record.id)
        }
        if (mishap < 0.1) continue
        copy.cursor = page.next
        if (page.isUpToDate) remains.readAt = begunAt
        if (page.isUpToDate && once) return
        polls += 1
        const pauseMs = life.isEager && polls < MOST_EAGER_POLLS ? EAGER_PAUSE_MS : PAUSE_MS
        if (page.isUpToDate) await new Promise(resolve => setTimeout(resolve, 1 + random.below(pauseMs)))
      }
    },
  })
}
