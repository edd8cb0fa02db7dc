import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ProxiedRequest {
  /** Counted from 0. */
  index: number
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ProxiedAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/**
 * What the client gets: an answer, a part of one after which the connection breaks or nothing more comes, a broken
 * connection, or nothing ever.
 */
export type Outcome = ProxiedAnswer | { half: ProxiedAnswer } | { stalled: ProxiedAnswer } | 'reset' | 'hang'

/** Sends the request, or another body in its place, on to the target. */
export type Forward = (body?: string) => Promise<ProxiedAnswer>

/** Decides what becomes of a request; `forward` may be called or not, before a delay or after it. */
export type Interceptor = (request: ProxiedRequest, forward: Forward) => Promise<Outcome>

export interface FaultProxy {
  url: string
  /** How many requests have arrived. */
  requestCount(): number
  /** Resolves when nothing is on its way to the target any more. */
  stop(): Promise<void>
}

/** Headers that belong to one connection, or that no longer fit. */
const NOT_FORWARDED = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

/**
 * Stands between a client and an HTTP server and lets faults happen on the way. For those that are wanted
 * often, see `faults.ts`.
 */
export async function startFaultProxy(target: string, intercept: Interceptor): Promise<FaultProxy> {
  let count = 0
  const underWay = new Set<Promise<unknown>>()

  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request
    const proxied = { index: count++, method, path, headers, body: (await buffer(request)).toString('utf8') }
    const forward: Forward = (body = proxied.body) => {
      const sending = send(target, { ...proxied, body })
      const tracked = sending.catch(() => undefined).finally(() => underWay.delete(tracked))
      underWay.add(tracked)
      return sending
    }
    try {
      answer(response, await intercept(proxied, forward))
    } catch {
      // The target is out of reach, which looks like this from the other side.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestCount: () => count,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await Promise.all(underWay)
    },
  }
}

/** The answer as it is sent, nothing decoded. */
async function send(
  target: string,
  { method, path, headers, body }: Omit<ProxiedRequest, 'index'>,
): Promise<ProxiedAnswer> {
  const request = sendRequest(new URL(path, target), { method, agent: AGENT, headers: forwarded(headers) })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode = 0 } = response
  return { status: statusCode, headers: forwarded(response.headers), body: await buffer(response) }
}

const AGENT = new Agent({ keepAlive: true })

const forwarded = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      NOT_FORWARDED.has(name) ? [] : [[name, String(value)]],
    ),
  )

function answer(response: ServerResponse, outcome: Outcome): void {
  if (outcome === 'hang') return
  if (outcome === 'reset') {
    response.destroy()
    return
  }
  const isHalf = 'half' in outcome
  const isStalled = 'stalled' in outcome
  const { status, headers, body } = isHalf ? outcome.half : isStalled ? outcome.stalled : outcome
  response.writeHead(status, { ...headers, 'content-length': body.length })
  if (!isHalf && !isStalled) {
    response.end(body)
    return
  }
  response.write(body.subarray(0, body.length / 2), () => isHalf && response.destroy())
}
