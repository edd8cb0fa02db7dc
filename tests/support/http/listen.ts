import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import { createDocsHandler } from '../../../lib/http/docs/create-docs-handler.ts'
import { DOCS_FILES } from '../../../lib/http/docs/docs-files.ts'
import { PAGE_FILES } from '../../../lib/http/page/page-files.ts'
import { assetReader } from '../../../lib/http/read-asset.ts'
import { createStatusHandler } from '../../../lib/http/status/create-status-handler.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { ReadIndexedThrough } from '../../../lib/query/indexed-through.ts'
import { createDynamoEventStore } from '../../../lib/store/dynamo-event-store.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createCheckpointReader } from '../../../lib/store/read-checkpoints.ts'
import { changesFunction } from '../changes/changes-function.ts'
import type { Endpoint } from '../requests/api-request.ts'
import type { LambdaHandler } from './ask.ts'
import { LONG_INVOCATION_MS, lambdaContext } from './http-events.ts'
import { queryFunctions } from './query-functions.ts'

export interface Listening {
  baseUrl: string
  stop(): Promise<void>
}

/** Listens on a free port of this machine until stopped. */
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

const ROOT = path.join(import.meta.dirname, '../../..')

/** Serves functions over that store, which never run out of time; of the networks nothing is indexed by default. */
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

/** As serverless.yml has it. */
const FUNCTION_TIMEOUT_MS = 10_000

/** Serves functions by the routes of serverless.yml, as an HTTP API does (payload 2.0). */
export async function listenFor(
  functionsAt: (baseUrl: string) => Functions,
  { timeoutMs = FUNCTION_TIMEOUT_MS } = {},
): Promise<Listening> {
  let functions: Functions | undefined
  const listening = await listen((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const { name, address } = routeOf(request.method, pathname)
    const handler = functions?.[name] ?? functions?.fallback
    const event = {
      version: '2.0',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers: joined(request),
      ...(address !== undefined && { pathParameters: { address: decodeURIComponent(address) } }),
      requestContext: {
        domainName: request.headers.host,
        http: { method: request.method, path: pathname },
      },
      isBase64Encoded: false,
    }
    const deadline = performance.now() + timeoutMs
    const context = lambdaContext({ getRemainingTimeInMillis: () => deadline - performance.now() })
    handler?.(event, context)
      .then(result => send(response, result as FunctionResult))
      .catch(error => response.writeHead(502).end(String(error)))
  })
  functions = functionsAt(listening.baseUrl)
  return listening
}

/** Where one is left out, the fallback answers. */
export type Functions = Record<Endpoint | 'docs' | 'status' | 'fallback', LambdaHandler> & {
  changes?: LambdaHandler
}

/** Serves the feed of changes alone, over a table, and never runs out of time. */
export const listenForChanges = (table: EventTable, options: { now?: () => number } = {}) =>
  listenFor(
    publicBaseUrl => {
      const changes = changesFunction(table, { publicBaseUrl, ...options })
      const served = { publicBaseUrl, readIndexedThrough: createCheckpointReader(table) }
      return { ...functionsOver(createDynamoEventStore(table), served), changes }
    },
    { timeoutMs: LONG_INVOCATION_MS },
  )

/** The version that the status tells. */
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

function routeOf(method: string | undefined, pathname: string): { name: keyof Functions; address?: string } {
  if (method !== 'GET' && method !== 'HEAD') return { name: 'fallback' }
  if (pathname === '/v1/token-events') return { name: 'token-events' }
  if (pathname === '/v1/changes') return { name: 'changes' }
  if (/^\/(docs(\/[^/]+)?|v1\/openapi\.json)$/.test(pathname)) return { name: 'docs' }
  if (/^\/(page\/[^/]+|v1\/status)?$/.test(pathname)) return { name: 'status' }
  const [, address] = /^\/v1\/user-events\/([^/]+)$/.exec(pathname) ?? []
  return address === undefined ? { name: 'fallback' } : { name: 'user-events', address }
}

interface FunctionResult {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

/** The gateway gives each header once, repetitions joined by commas. */
const joined = ({ headersDistinct }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(',')]))

function send(response: ServerResponse, { statusCode, headers, body, isBase64Encoded }: FunctionResult) {
  response.writeHead(statusCode, headers)
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
}
