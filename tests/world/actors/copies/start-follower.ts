import { followChanges, openWhenReachable } from '../../../../lib/callers/copies/follow/follow-changes.ts'
import { openCopy } from '../../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { createPatience } from '../../../../lib/client/create-patience.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { expire, type Job, type ReaderRemains, startJob, type World } from '../../world.ts'

/** Starts a follower with a copy in SQLite, as `npm run follow` does. */
export function startFollower(world: World, remains: ReaderRemains, { once }: { once: boolean }): Job {
  const { plan } = remains
  return startJob(world, {
    kind: 'follower',
    name: plan.name,
    isOnce: once,
    work: async job => {
      const patience = createPatience({ signal: job.stop.signal, onTrouble: () => undefined })
      const copy = await openWhenReachable(
        () => openCopy(`sqlite:${plan.name}`, { source: SERVICE_URL }),
        patience,
      )
      let begunAt = world.gate.now()
      await followChanges({
        client: createEventsClient(SERVICE_URL),
        copy,
        query: { ...plan.scope, limit: 1 + world.random.below(world.random.pick([3, 50])) },
        once,
        signal: job.stop.signal,
        onPage: async ({ isUpToDate }) => {
          if (isUpToDate) remains.readAt = begunAt
          begunAt = world.gate.now()
        },
        onRestart: () => expire(world, remains),
      })
      await copy.close()
    },
  })
}
