import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { ReaderPlan } from '../life.ts'
import { SERVICE_URL } from '../outside/sim-service.ts'
import { type Job, type PlainCopy, startJob, type World } from '../world.ts'

/**
 * Starts a consumer that keeps a copy as carelessly as the interface allows: it asks for pages of any size, forgets
 * pages that it has read, and applies pages whose cursor it then loses. It ends as soon as a request fails.
 */
export function startCarelessReader(
  world: World,
  plan: ReaderPlan,
  { once, copy }: { once: boolean; copy: PlainCopy },
): Job {
  const { gate } = world
  return startJob(world, {
    kind: 'careless',
    name: plan.name,
    work: async job => {
      const client = createEventsClient(SERVICE_URL, { retries: 0 })
      while (!job.stop.signal.aborted) {
        const { random } = gate
        const query = {
          ...plan.scope,
          limit: 1 + random.below(40),
          cursor: copy.cursor,
          from: 'beginning' as const,
        }
        const page = await client.changePage(query, { signal: job.stop.signal })
        const mishap = gate.faults.died > 0 ? random.next() : 1
        if (mishap < 0.05) continue
        for (const { change, record } of page.changes) {
          if (change === 'added') copy.records.set(record.id, record as unknown as EventRecord)
          else copy.records.delete(record.id)
        }
        if (mishap < 0.1) continue
        copy.cursor = page.next
        if (page.isUpToDate && once) return
        if (page.isUpToDate) await new Promise(resolve => setTimeout(resolve, 1 + random.below(8000)))
      }
    },
  })
}
