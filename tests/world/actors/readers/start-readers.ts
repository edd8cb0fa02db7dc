import type { Finality } from '../../../support/oracle/oracle.ts'
import type { ReaderPlan } from '../../life.ts'
import { finalityOf } from '../../outside/sim-table.ts'
import { finish, jobsOf } from '../../start-job.ts'
import { breach, count, DAY_MS, type Job, type Reader, type World } from '../../world.ts'

export function createReader(world: World, plan: ReaderPlan): void {
  const kind = world.parts.find(({ readers }) => readers?.[plan.kind])?.readers?.[plan.kind]
  if (kind) world.readers.set(plan.name, kind.create(world, plan))
}

export const newReader = ({ gate }: World, plan: ReaderPlan) => ({
  plan,
  ended: undefined as string | undefined,
  readAt: gate.now(),
})

/** The highest block of each network that a reader with `from=now` may omit if it begins now. */
export const blocksUntilNow = (world: World, { finalized }: { finalized: boolean }): Finality =>
  finalized
    ? finalityOf(world)
    : Object.fromEntries([...world.networks].map(([network, { chain }]) => [network, chain.head().number]))

/** Omits readers that have ended permanently. */
export const restingReaders = (world: World): Reader[] =>
  [...world.readers.values()].filter(
    ({ plan, ended }) => ended === undefined && jobsOf(world, plan.name).length === 0,
  )

export const startReaders = (world: World, options: { once: boolean }): Job[] =>
  restingReaders(world).map(reader => reader.start(options))

export async function readNow(world: World): Promise<void> {
  await Promise.all(startReaders(world, { once: true }).map(({ ended }) => ended))
}

/** Lets every reader read to the end. Must be called while nothing fails. */
export async function readToEnd(world: World): Promise<void> {
  for (const { ended, readToEnd, start } of world.readers.values())
    if (ended === undefined) await (readToEnd?.() ?? finish(world, start({ once: true })))
}

const SLEEPERS = 'A reader must start again only if it has paused for longer than the log is kept.'
/** Allows for a publisher that stores its place once a minute, and for clocks that differ by about a minute. */
const CLOCKS_DIFFER_MS = 300_000

/** Notes that the feed has refused a reader's place. Breaks a law unless the reader slept or the table was restored. */
export function expire(world: World, { plan, readAt }: Reader): void {
  count(world, 'places of readers that were too old')
  const sleptMs = world.gate.now() - readAt
  if (readAt >= world.restoredAt && sleptMs < world.life.keptDays * DAY_MS - CLOCKS_DIFFER_MS)
    breach(world, SLEEPERS, `${plan.name} had read everything ${Math.floor(sleptMs / 1000)} s before`)
}
