import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { httpApi } from '../../../infra/local/gateway/http-api.ts'
import type { ApiRoute } from '../../../infra/local/gateway/match-route.ts'
import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import type { EventStore, ReadIndexedThrough } from '../../../lib/query/event-store.ts'
import { createDocsHandler } from '../../../lib/site/docs/create-docs-handler.ts'
import { DOCS_FILES, PAGE_FILES } from '../../../lib/site/look/page-files.ts'
import { assetReader } from '../../../lib/site/look/read-asset.ts'
import { createStatusHandler } from '../../../lib/site/status/create-status-handler.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { changesFunction } from '../changes/changes-function.ts'
import type { Endpoint } from '../requests/api-request.ts'
import { useStarted } from '../runner/use-started.ts'
import type { LambdaHandler } from './ask.ts'
import { LONG_INVOCATION_MS, lambdaContext } from './http-events.ts'
import { queryFunctions } from './query-functions.ts'

export interface Listening {
  baseUrl: string
  stop(): Promise<void>
}

export async function listen(onRequest: RequestListener): Promise<Listening> {
  const server = createServer(onRequest).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

export const useListening = (start: () => Promise<Listening>) => useStarted(start)

const ROOT = path.join(import.meta.dirname, '../../..')

/** The functions have no time limit. */
export const listenWith = (store: EventStore, readIndexedThrough = nothingIndexed) =>
  listenFor(publicBaseUrl => functionsOver(store, { publicBaseUrl, readIndexedThrough }), {
    timeoutMs: LONG_INVOCATION_MS,
  })

const nothingIndexed: ReadIndexedThrough = async () => ({
  networks: [],
  calls: 1,
  examined: 0,
  readUnits: 0.5,
})

/** As in serverless.yml. */
const FUNCTION_TIMEOUT_MS = 10_000

/** Serves functions at the routes of serverless.yml, like an HTTP API with payload 2.0. */
export async function listenFor(
  functionsAt: (baseUrl: string) => Functions,
  { timeoutMs = FUNCTION_TIMEOUT_MS } = {},
): Promise<Listening> {
  let functions: Functions | undefined
  const invoke = async (name: string, event: object) => {
    const handler = functions?.[name as keyof Functions] ?? functions?.fallback
    const deadline = performance.now() + timeoutMs
    const context = lambdaContext({ getRemainingTimeInMillis: () => deadline - performance.now() })
    return handler?.(event, context)
  }
  const listening = await listen(httpApi({ routes: ROUTES, invoke }))
  functions = functionsAt(listening.baseUrl)
  return listening
}

/** `fallback` answers the requests to a function that is missing. */
export type Functions = Record<Endpoint | 'docs' | 'status' | 'fallback', LambdaHandler> & {
  changes?: LambdaHandler
}

/** The functions have no time limit. */
export const listenForChanges = (table: EventTable) =>
  listenFor(
    publicBaseUrl => {
      const changes = changesFunction(table, { publicBaseUrl })
      const served = { publicBaseUrl, readIndexedThrough: createCheckpointReader(table) }
      return { ...functionsOver(createDynamoEventStore(table), served), changes }
    },
    { timeoutMs: LONG_INVOCATION_MS },
  )

export const SERVED_VERSION = '1.2.3-tested'

interface ServedFrom {
  publicBaseUrl: string
  readIndexedThrough: ReadIndexedThrough
}

const functionsOver = (store: EventStore, { publicBaseUrl, readIndexedThrough }: ServedFrom) =>
  ({
    ...queryFunctions({ store, publicBaseUrl }),
    docs: createDocsHandler({ publicBaseUrl, readAsset: assetReader(ROOT, DOCS_FILES) }),
    status: createStatusHandler({
      publicBaseUrl,
      readIndexedThrough,
      version: SERVED_VERSION,
      readAsset: assetReader(ROOT, PAGE_FILES),
    }),
    fallback: createFallbackHandler({ publicBaseUrl }),
  }) as unknown as Functions

/** As in serverless.yml. */
const ROUTES: ApiRoute[] = [
  ...readableAt('user-events', ['/v1/user-events/{address}']),
  ...readableAt('token-events', ['/v1/token-events']),
  ...readableAt('changes', ['/v1/changes']),
  ...readableAt('docs', ['/docs', '/docs/{asset}', '/v1/openapi.json', '/llms.txt']),
  ...readableAt('status', ['/', '/page/{asset}', '/v1/status']),
  { key: '$default', functionKey: 'fallback' },
]

function readableAt(functionKey: keyof Functions, paths: string[]): ApiRoute[] {
  return paths.flatMap(path => ['GET', 'HEAD'].map(method => ({ key: `${method} ${path}`, functionKey })))
}
