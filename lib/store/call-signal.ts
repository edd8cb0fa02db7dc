import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import type { CallOptions } from '../query/event-store.ts'

/**
 * A client with `cacheMiddleware` puts its middleware together once for each kind of command, not for each call: a
 * tenth of the CPU of a request for one record. The SDK does so for calls without options only, and the signal that
 * breaks a call off is an option. So it reaches the request handler of such a client by this way.
 */
const signals = new AsyncLocalStorage<AbortSignal>()

type RequestHandler = Pick<
  NodeHttpHandler,
  'metadata' | 'handle' | 'destroy' | 'updateHttpClientConfig' | 'httpHandlerConfigs'
>

/** The request handler for a client with `cacheMiddleware`: it breaks off the calls that `withSignal` makes. */
export function createRequestHandler(options: NodeHttpHandlerOptions): RequestHandler {
  const handler = new NodeHttpHandler(options)
  return {
    metadata: handler.metadata,
    handle: (request, { abortSignal = signals.getStore(), ...others } = {}) =>
      handler.handle(request, { ...others, ...(abortSignal && { abortSignal }) }),
    destroy: () => handler.destroy(),
    updateHttpClientConfig: (key, value) => handler.updateHttpClientConfig(key, value),
    httpHandlerConfigs: () => handler.httpHandlerConfigs(),
  }
}

/**
 * Has `send` make a call of the client with the options it is given, so that the signal breaks the call off. A call
 * that waits to be tried again sits that out, and then sends nothing.
 */
export function withSignal<Answer>(
  { client, abortSignal }: CallOptions & { client: DynamoDBClient },
  send: (options?: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  if (!abortSignal) return send()
  return client.config.cacheMiddleware ? signals.run(abortSignal, () => send()) : send({ abortSignal })
}
