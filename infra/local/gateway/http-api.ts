import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { checkToken } from './check-token.ts'
import { gatewayEvent } from './gateway-event.ts'
import { type ApiRoute, routeMatcher } from './match-route.ts'

export interface HttpApi {
  routes: readonly ApiRoute[]
  /** Rejects when the function fails. */
  invoke(functionKey: string, event: object): Promise<unknown>
}

/** The path and the query of a request target, which may begin with the scheme and the host (RFC 9112, 3.2.2). */
const TARGET = /^(?:https?:\/\/[^/?]*)?([^?]*)(?:\?(.*))?$/is
const NO_BODY = Buffer.alloc(0)
const MAX_BODY_BYTES = 10 * 1024 * 1024

/** A function's answer in payload format 2.0. */
interface FunctionResult {
  statusCode: number
  headers?: Record<string, string>
  body?: string
  isBase64Encoded?: boolean
}

/** Behaves like an API Gateway HTTP API with payload format 2.0, including the texts of the gateway's own errors. */
export function httpApi({ routes, invoke }: HttpApi): RequestListener {
  const match = routeMatcher(routes)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const [, path = '/', rawQueryString = ''] = TARGET.exec(request.url ?? '/') ?? []
    const matched = decoded(() => match(request.method ?? '', path))
    const rawPath = decoded(() => decodeURIComponent(path))
    if (matched === INVALID || rawPath === INVALID) return say(response, 400, 'Bad Request')
    if (!matched) return say(response, 404, 'Not Found')
    const { token } = matched.route
    const claims = token && checkToken(request.headers.authorization, token)
    if (token && !claims) return say(response, 401, 'Unauthorized')
    const body = await bodyOf(request)
    if (!body) return say(response, 413, 'Request Entity Too Large')
    const event = gatewayEvent(request, { matched, rawPath, rawQueryString, claims, body })
    send(response, (await invoke(matched.route.functionKey, event)) as FunctionResult)
  }

  return (request, response) => {
    // The reason is not reported here, because `invoke` has already logged why a function failed.
    answer(request, response).catch(() => say(response, 500, 'Internal Server Error'))
  }
}

const INVALID = Symbol('invalid percent-encoding')

function decoded<Value>(decode: () => Value): Value | typeof INVALID {
  try {
    return decode()
  } catch {
    return INVALID
  }
}

function say(response: ServerResponse, statusCode: number, message: string) {
  if (response.headersSent) return response.destroy()
  const headers = { 'content-type': 'application/json' }
  return send(response, { statusCode, headers, body: JSON.stringify({ message }) })
}

function send(
  response: ServerResponse,
  { statusCode, headers = {}, body = '', isBase64Encoded }: FunctionResult,
) {
  response.statusCode = statusCode
  // Unlike `writeHead`, `setHeader` lets Node.js add the length of the body.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
}

/** Undefined if the body is longer than API Gateway accepts. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_BODY
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
