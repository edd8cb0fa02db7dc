import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import { createDocsHandler } from '../../../lib/http/docs/create-docs-handler.ts'
import { assetReader } from '../../../lib/http/docs/read-asset.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
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

/** Serves functions over that store, which never run out of time. */
export const listenWith = (store: EventStore) =>
  listenFor(baseUrl => functionsOver(store, baseUrl), { timeoutMs: LONG_INVOCATION_MS })

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
    functions?.[name](event, context)
      .then(result => send(response, result as FunctionResult))
      .catch(error => response.writeHead(502).end(String(error)))
  })
  functions = functionsAt(listening.baseUrl)
  return listening
}

export type Functions = Record<Endpoint | 'docs' | 'fallback', LambdaHandler>

const functionsOver = (store: EventStore, publicBaseUrl: string) =>
  ({
    ...queryFunctions({ store, publicBaseUrl }),
    docs: createDocsHandler({ publicBaseUrl, readAsset: assetReader(ROOT) }),
    fallback: createFallbackHandler({ publicBaseUrl }),
  }) as unknown as Functions

function routeOf(method: string | undefined, pathname: string): { name: keyof Functions; address?: string } {
  if (method !== 'GET' && method !== 'HEAD') return { name: 'fallback' }
  if (pathname === '/v1/token-events') return { name: 'token-events' }
  if (/^\/(docs(\/[^/]+)?|v1\/openapi\.json)$/.test(pathname)) return { name: 'docs' }
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
