import { AsyncLocalStorage } from 'node:async_hooks'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Send = (command: unknown, options?: { abortSignal?: AbortSignal }) => Promise<unknown>

/**
 * Has a client put its middleware together once for each kind of command, not for each call. The SDK can do
 * so (`cacheMiddleware`), but not for calls with options; the only one that is used here, the signal that
 * breaks a call off, takes another way to where the request is sent.
 */
export function keepHandlers(client: DynamoDBClient): void {
  const signals = new AsyncLocalStorage<AbortSignal>()
  const { requestHandler } = client.config
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) =>
    handle(request, { ...options, abortSignal: signals.getStore() })

  const sendWithoutOptions = client.send.bind(client) as Send
  const send: Send = (command, { abortSignal } = {}) =>
    abortSignal ? signals.run(abortSignal, sendWithoutOptions, command) : sendWithoutOptions(command)
  client.send = send as typeof client.send
  client.config.cacheMiddleware = true
}
