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
import { useStops } from '../runner/use-started.ts'

export interface ProxiedRequest {
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
 * What the client experiences: a response, half a response before the connection breaks or stalls, a broken connection,
 * or no response.
 */
export type Outcome = ProxiedAnswer | { half: ProxiedAnswer } | { stalled: ProxiedAnswer } | 'reset' | 'hang'

/** `body`, if present, replaces the request's own body. */
export type Forward = (body?: string) => Promise<ProxiedAnswer>

/** An interceptor may call `forward` at any time, or never. */
export type Interceptor = (request: ProxiedRequest, forward: Forward) => Promise<Outcome>

/** Headers that apply to a single connection, or that might not match the forwarded body. */
const NOT_FORWARDED = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

/** Injects faults between a client and an HTTP server. Common faults are in `faults.ts`. */
export async function startFaultProxy(target: string, intercept: Interceptor) {
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
      // The target is unreachable, which the client sees as a broken connection.
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

export function useFaultProxies(): typeof startFaultProxy {
  const stopLater = useStops(afterEach)
  return async (target, intercept) => stopLater(await startFaultProxy(target, intercept))
}

/** Sends the request, and leaves the response's body encoded. */
async function send(target: string, { method, path, headers, body }: Omit<ProxiedRequest, 'index'>) {
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
