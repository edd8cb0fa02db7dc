import * as z from 'zod/mini'
import { createDynamoChangeStore } from '../lib/feed/dynamo-change-store.ts'
import { createTableFeed } from '../lib/feed/publisher/change-feed.ts'
import { createPublishHandler } from '../lib/feed/publisher/create-publish-handler.ts'
import { createPublishObserver } from '../lib/feed/publisher/create-publish-observer.ts'
import { readQueryConfig } from '../lib/http/function-config.ts'
import { readSsmParameter } from '../lib/kit/read-ssm-parameter.ts'
import { createIndexingClient } from '../lib/store/create-client.ts'
import { createDynamoEventStore } from '../lib/store/reading/dynamo-event-store.ts'

const environmentSchema = z.object({
  /** The name of the SSM parameter that contains the subscriptions and their secrets. */
  PUBLISH_CONFIG_PARAMETER: z.string(),
  /** Whether a run continues until its time is up, instead of ending when everything is delivered. */
  PUBLISH_FOLLOW: z.optional(z.enum(['true', 'false'])),
})

const { PUBLISH_CONFIG_PARAMETER, PUBLISH_FOLLOW } = environmentSchema.parse(process.env)
const { tableName, networks, publicBaseUrl } = readQueryConfig(process.env)
const table = { client: createIndexingClient(), tableName, networks }

export const handler = createPublishHandler({
  ...table,
  // Each run reads the subscriptions again, so changes take effect on the next run.
  readConfig: () => readSsmParameter(PUBLISH_CONFIG_PARAMETER),
  follow: PUBLISH_FOLLOW === 'true',
  feed: createTableFeed({
    store: createDynamoEventStore(table),
    changeStore: createDynamoChangeStore(table),
  }),
  delivery: { allowLoopback: false, publicBaseUrl },
  observer: createPublishObserver(),
})
