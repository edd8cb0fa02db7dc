import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { createDynamoChangeStore } from '../../../../lib/feed/dynamo-change-store.ts'
import {
  createClientFeed,
  createTableFeed,
  FeedUnavailableError,
} from '../../../../lib/feed/publisher/change-feed.ts'
import { createPublishHandler } from '../../../../lib/feed/publisher/create-publish-handler.ts'
import { publishChanges } from '../../../../lib/feed/publisher/publish-changes.ts'
import type { ServedSubscription } from '../../../../lib/feed/publisher/serving-context.ts'
import { parseSubscriptions } from '../../../../lib/feed/publisher/subscription.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import type { ReaderPlan } from '../../life.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { type Job, startJob, type World } from '../../world.ts'
import { SECRET, type SimReceiver } from './sim-receiver.ts'

type PublisherPlan = Extract<ReaderPlan, { kind: 'publisher' }>

/** The file in which `npm run publish` keeps its state. */
export type StateFile = Map<string, string>

const FUNCTION_MS = 60_000

/** Starts a publisher: the scheduled function, or `npm run publish`. `served` receives the end of a run. */
export function startPublisher(
  world: World,
  plan: PublisherPlan,
  {
    once,
    file,
    receiver,
    served,
  }: {
    once: boolean
    file: StateFile
    receiver: SimReceiver
    served: (told: ServedSubscription) => void
  },
): Job {
  const config = {
    name: plan.name,
    ...(plan.isBus ? { to: 'eventbridge:bus' } : { to: receiver.url, secret: SECRET }),
    ...plan.scope,
    finalized: plan.finalized,
    from: plan.from,
  }
  return startJob(world, {
    kind: 'publisher',
    name: plan.name,
    work: job =>
      plan.isFunction
        ? runFunction(world, { config, once, receiver, served })
        : runCommand(world, job, { config, once, file, receiver, served }),
  })
}

interface Run {
  config: object
  once: boolean
  receiver: SimReceiver
  served: (told: ServedSubscription) => void
}

const QUIET = { delivered: () => undefined, failed: () => undefined, waiting: () => undefined }

async function runFunction({ table, gate }: World, { config, once, receiver, served }: Run): Promise<void> {
  const where = { client: table.client('indexing'), tableName: table.tableName, networks: table.networks }
  const handler = createPublishHandler({
    ...where,
    readConfig: async () => JSON.stringify([config]),
    feed: createTableFeed({
      store: createDynamoEventStore(where),
      changeStore: createDynamoChangeStore(where),
    }),
    delivery: { allowLoopback: false, client: receiver.connectBus() },
    observer: { ...QUIET, served, busy: () => undefined },
    follow: !once,
  })
  const endsAt = gate.now() + FUNCTION_MS
  await handler({}, { getRemainingTimeInMillis: () => endsAt - gate.now() } as Parameters<typeof handler>[1])
}

async function runCommand(
  _world: World,
  job: Job,
  { config, once, file, receiver, served }: Run & { file: StateFile },
): Promise<void> {
  const { subscriptions, problems } = parseSubscriptions([config], { allowLoopback: true })
  if (problems.length > 0) throw new Error(problems.join('; '))
  const [told] = await publishChanges({
    subscriptions,
    feed: createClientFeed(createEventsClient(SERVICE_URL)),
    states: {
      read: async name => file.get(name),
      write: async (name, text) => void file.set(name, text),
    },
    delivery: { allowLoopback: true, client: receiver.connectBus() },
    observer: QUIET,
    source: SERVICE_URL,
    once,
    stop: job.stop.signal,
    abort: new AbortController().signal,
  })
  if (told) served(told)
  // A run that ends when it is up to date may end at an outage, because the next run continues.
  if (told?.error && !(once && told.error instanceof FeedUnavailableError)) throw told.error
}
