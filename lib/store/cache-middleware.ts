import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Send = (command: unknown, options?: { abortSignal?: AbortSignal }) => Promise<unknown>

/**
 * Has a client put its middleware together once for each kind of command, not for each call. The SDK does so
 * (`cacheMiddleware`), but not for calls with options. So the signal that breaks a call off, the only option that
 * calls may have here, is handed to the request handler through AsyncLocalStorage. A call that waits to be tried
 * again sits that out, and then sends nothing.
 */
export function cacheMiddleware(client: DynamoDBClient): void {
  const signals = new AsyncLocalStorage<AbortSignal>()
  const { requestHandler } = client.config
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) =>
    handle(request, { ...options, abortSignal: signals.getStore() })

  const sendWithoutOptions = client.send.bind(client) as Send
  const send: Send = (command, { abortSignal, ...others } = {}) => {
    const unknown = Object.keys(others)
    if (unknown.length > 0) throw new TypeError(`Calls cannot have the options ${unknown}`)
    return abortSignal ? signals.run(abortSignal, sendWithoutOptions, command) : sendWithoutOptions(command)
  }
  client.send = send as typeof client.send
  client.config.cacheMiddleware = true
}
