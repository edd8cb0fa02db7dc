import { breach, count, type Job, type World } from './world.ts'

interface Program extends Pick<Job, 'kind' | 'name'>, Partial<Pick<Job, 'mayEndWith' | 'needsLease'>> {
  work: (job: Job) => Promise<unknown>
}

export function startJob(world: World, { work, ...program }: Program): Job {
  const { gate, random, jobs } = world
  const { kind, name } = program
  const actor = gate.actor(`${name} #${jobs.length + 1}`, { skewMs: random.pick([0, 0, 0, -40_000, 25_000]) })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const job: Job = {
    mayEndWith: undefined,
    needsLease: false,
    ...program,
    actor,
    stop: new AbortController(),
    end: undefined,
    ended,
  }
  const conclude = (end: string, error?: unknown) => {
    if (job.end !== undefined) return
    job.end = end
    job.error = error
    for (const odd of oddEndOf(world, job)) breach(world, NOTHING_ENDS, odd)
    gate.note(`${actor.name} ends: ${end}`)
    count(world, `${kind}: ${end}`)
    resolve()
  }
  actor.onDeath.push(() => conclude('died'))
  jobs.push(job)
  gate.note(`${actor.name} starts`)
  gate
    .runAs(actor, async () => work(job))
    .then(
      () => conclude('done'),
      error => conclude(job.stop.signal.aborted ? 'stopped' : nameOf(error), error),
    )
  return job
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error))

export const WRITER_ENDS: readonly string[] = [
  'LeaseHeldError',
  'LeaseLostError',
  'NodesUnavailableError',
  // The SDK makes only three attempts at reads of the table's networks, chunks and whole tables.
  'TimeoutError',
]

const GOOD_ENDS = ['done', 'stopped']

const NOTHING_ENDS = 'No program ends because of a single answer from a single neighbour.'

function oddEndOf(world: World, { kind, mayEndWith, end, error, actor }: Job): string[] {
  if (end === undefined || mayEndWith === undefined) return []
  if ([...GOOD_ENDS, 'died', ...mayEndWith].includes(end)) return []
  count(world, `odd end of ${kind}: ${end}`)
  return [`${actor.name} ended: ${(error as Error)?.stack ?? end}`]
}

/** Waits for the program to end well, and must therefore be called while nothing fails. */
export async function finish(
  world: World,
  job: Job,
  { mayEndWith = [] }: { mayEndWith?: readonly string[] } = {},
): Promise<void> {
  await world.gate.until(job.ended)
  if (![...GOOD_ENDS, ...mayEndWith].includes(job.end ?? ''))
    breach(world, NOTHING_ENDS, `${job.name}: ${(job.error as Error)?.stack}`)
}

export const isRunning = (job: Job) => job.end === undefined

export const jobsOf = ({ jobs }: World, name: string) =>
  jobs.filter(job => job.name === name && isRunning(job))

/** The job dies at the chosen write unless the job ends earlier. */
export async function dieAtWrite(
  world: World,
  { actor, ended }: Job,
  when: { writes: number; after?: string },
): Promise<void> {
  world.ambush = { actor, ...when }
  await ended
  if (world.ambush?.actor === actor) world.ambush = undefined
}
