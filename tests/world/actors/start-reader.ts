import type { Job, ReaderRemains, World } from '../world.ts'
import { startFollower } from './follow-actor.ts'
import { startPublisher } from './publish-actor.ts'
import { startCarelessReader } from './read-actor.ts'

/** Starts a reader of the feed, which goes on where its last process ended. With `once`, it ends when it is up to date. */
export function startReader(world: World, remains: ReaderRemains, { once }: { once: boolean }): Job {
  const { plan, copy, file, receiver } = remains
  if (plan.kind === 'follower') return startFollower(world, plan, { once })
  if (plan.kind === 'careless') return startCarelessReader(world, plan, { once, copy })
  return startPublisher(world, plan, {
    once,
    file,
    receiver: receiver.url,
    served: ({ ended }) => {
      remains.ended = ended
    },
  })
}
