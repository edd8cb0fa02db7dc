import { followChanges } from '../../../lib/callers/copies/follow/follow-changes.ts'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import type { ReaderPlan } from '../life.ts'
import { SERVICE_URL } from '../outside/sim-service.ts'
import { count, type Job, startJob, type World } from '../world.ts'

/** Starts a follower with a copy in SQLite, as `npm run follow` does. */
export function startFollower(world: World, plan: ReaderPlan, { once }: { once: boolean }): Job {
  return startJob(world, {
    kind: 'follower',
    name: plan.name,
    work: async job => {
      const copy = await openCopy(`sqlite:${plan.name}`, { source: SERVICE_URL })
      await followChanges({
        client: createEventsClient(SERVICE_URL),
        copy,
        query: { ...plan.scope, limit: 1 + world.random.below(50) },
        once,
        signal: job.stop.signal,
        onRestart: () => count(world, 'copies made anew'),
      })
      await copy.close()
    },
  })
}
