import { expire, type Job, type ReaderRemains, type World } from '../../world.ts'
import { startFollower } from '../copies/start-follower.ts'
import { startPublisher } from '../publisher/start-publisher.ts'
import { startCarelessReader } from './start-careless-reader.ts'

/** Starts a reader of the feed, which goes on where its last process ended. With `once`, it ends when it is up to date. */
export function startReader(world: World, remains: ReaderRemains, { once }: { once: boolean }): Job {
  const { plan, file, receiver } = remains
  if (plan.kind === 'follower') return startFollower(world, remains, { once })
  if (plan.kind === 'careless') return startCarelessReader(world, remains, { once })
  let begunAt = world.gate.now()
  return startPublisher(world, plan, {
    once,
    file,
    receiver,
    served({ ended, isUpToDate, lagMs }) {
      remains.isUpToDate = isUpToDate
      if (isUpToDate) remains.readAt = begunAt - lagMs
      begunAt = world.gate.now()
      if (ended !== undefined && remains.ended === undefined) expire(world, remains)
      remains.ended = ended
    },
  })
}
