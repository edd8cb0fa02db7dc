import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { createClientFeed, FeedUnavailableError } from '../../../../lib/feed/publisher/change-feed.ts'
import { createPublishHandler } from '../../../../lib/feed/publisher/create-publish-handler.ts'
import { publishChanges } from '../../../../lib/feed/publisher/publish-changes.ts'
import type { ServedSubscription } from '../../../../lib/feed/publisher/serving-context.ts'
import { parseSubscriptions } from '../../../../lib/feed/publisher/subscription.ts'
import type { SubscriptionStates } from '../../../../lib/feed/publisher/subscription-state.ts'
import type { Finality } from '../../../support/oracle/oracle.ts'
import { feedOf, SILENT, statesInMemory } from '../../../support/publisher/publish-once.ts'
import type { Random } from '../../../support/records/random.ts'
import type { ReaderPlan } from '../../life.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { startJob } from '../../start-job.ts'
import { act, type Job, type Part, passTime, type Reader, type World } from '../../world.ts'
import { blocksUntilNow, expire, newReader } from '../readers/start-readers.ts'
import { createSimReceiver, SECRET, type SimReceiver } from './sim-receiver.ts'

export const PUBLISHERS: Part = {
  acts: {
    'change a receiver': act(2, ({ world, random }) => {
      for (const { receiver } of publishersOf(world)) receiver.isDown = random.chance(0.4)
    }),
  },
  themes: [{ weights: { 'change a receiver': 8, 'start readers': 10, finalize: 8 } }],
  endings: { 'no receiver accepts anything': { chance: 0.3, play: meetReceiversThatAreDown } },
  readers: { publisher: { weight: 2, draw: drawPublisher, create: createPublisher } },
  laws: [
    {
      sentence: 'A repeated batch has the id and the body of its first attempt, and a valid signature.',
      atRest: ({ world }) =>
        publishersOf(world).flatMap(({ plan, receiver }) =>
          receiver.complaints.map(each => `${plan.name}: ${each}`),
        ),
    },
  ],
  calm: world => setDown(world, false),
}

const setDown = (world: World, isDown: boolean) => {
  for (const { receiver } of publishersOf(world)) receiver.isDown = isDown
}

async function meetReceiversThatAreDown(world: World): Promise<void> {
  setDown(world, true)
  for (const { ended, start } of publishersOf(world))
    if (ended === undefined) await world.gate.until(start({ once: true }).ended)
  setDown(world, false)
}

const FUNCTION_MS = 60_000

interface PublisherPlan extends ReaderPlan {
  finalized: boolean
  from: 'beginning' | 'now'
  /** An EventBridge event bus instead of a webhook. */
  isBus: boolean
  /** If set, the publisher reads the table itself and keeps its state there, as the function does. */
  isFunction: boolean
}

function drawPublisher(random: Random): Omit<PublisherPlan, keyof ReaderPlan> {
  return {
    finalized: random.chance(0.4),
    from: random.chance(0.6) ? 'beginning' : 'now',
    isFunction: random.chance(0.5),
    isBus: random.chance(0.2),
  }
}

interface Publisher extends Reader {
  receiver: SimReceiver
}

const publishersOf = ({ readers }: World): Publisher[] =>
  [...readers.values()].filter((reader): reader is Publisher => 'receiver' in reader)

/** Creates a publisher with one subscription: the scheduled function, or `npm run publish`. */
function createPublisher(world: World, plan: ReaderPlan): Publisher {
  const { finalized, from, isBus, isFunction } = plan as PublisherPlan
  const receiver = createSimReceiver(`${plan.name}.receiver`, world)
  const states = statesInMemory()
  let isUpToDate = false
  let begunAt = 0
  let since: Finality | undefined
  const config = {
    name: plan.name,
    ...(isBus ? { to: 'eventbridge:bus' } : { to: receiver.url, secret: SECRET }),
    ...plan.scope,
    finalized,
    from,
  }
  function served(told: ServedSubscription) {
    isUpToDate = told.isUpToDate
    // A run that ended before the first answer has not begun the subscription.
    if (from === 'now' && (isUpToDate || told.delivered > 0)) since ??= blocksUntilNow(world, { finalized })
    if (isUpToDate) publisher.readAt = begunAt - (told.lagMs ?? 0)
    begunAt = world.gate.now()
    if (told.ended !== undefined && publisher.ended === undefined) expire(world, publisher)
    publisher.ended = told.ended
  }
  const publisher: Publisher = {
    ...newReader(world, plan),
    receiver,
    start({ once }) {
      begunAt = world.gate.now()
      const run = { config, once, receiver, served }
      return startJob(world, {
        kind: 'publisher',
        name: plan.name,
        mayEndWith: ['PublishFailedError'],
        work: job => (isFunction ? runFunction(world, run) : runCommand(job, { ...run, states })),
      })
    },
    async readToEnd() {
      // After a failed attempt, a batch is delivered only after a pause. A run with `once` ends before this pause.
      for (let tries = 0; tries < 3; tries += 1) {
        isUpToDate = false
        await world.gate.until(publisher.start({ once: true }).ended)
        if (isUpToDate) return
        await passTime(world, 400_000)
      }
    },
    hold: async () => ({ records: receiver.copy, finalized, since }),
  }
  return publisher
}

interface Run {
  config: object
  once: boolean
  receiver: SimReceiver
  served: (told: ServedSubscription) => void
}

async function runFunction({ table, gate }: World, { config, once, receiver, served }: Run): Promise<void> {
  const where = table.where('indexing')
  const handler = createPublishHandler({
    ...where,
    readConfig: async () => JSON.stringify([config]),
    feed: feedOf(where),
    delivery: { allowLoopback: false, client: receiver.connectBus() },
    observer: { ...SILENT, served, busy: () => undefined },
    follow: !once,
  })
  const endsAt = gate.now() + FUNCTION_MS
  await handler({}, { getRemainingTimeInMillis: () => endsAt - gate.now() } as Parameters<typeof handler>[1])
}

async function runCommand(
  job: Job,
  { config, once, states, receiver, served }: Run & { states: SubscriptionStates },
): Promise<void> {
  const { subscriptions, problems } = parseSubscriptions([config], { allowLoopback: true })
  if (problems.length > 0) throw new Error(problems.join('; '))
  const [told] = await publishChanges({
    subscriptions,
    feed: createClientFeed(createEventsClient(SERVICE_URL)),
    states,
    delivery: { allowLoopback: true, client: receiver.connectBus() },
    observer: SILENT,
    source: SERVICE_URL,
    once,
    stop: job.stop.signal,
    abort: new AbortController().signal,
  })
  if (told) served(told)
  // If `once` is set, an outage may end the run, because the next run continues where it stopped.
  if (told?.error && !(once && told.error instanceof FeedUnavailableError)) throw told.error
}
