/**
 * The process under load: the deployed functions, with this process's environment, behind a small gateway. It sends its
 * address to its parent once, and the state of its memory on request.
 */
import { getActiveResourcesInfo, memoryUsage } from 'node:process'
import type { LambdaHandler } from '../../support/http/ask.ts'
import { type Functions, listenFor } from '../../support/http/listen.ts'

export interface ProcessState {
  rssBytes: number
  /** After a full garbage collection. */
  heapBytes: number
  /** The resources that keep the process alive, counted by kind, such as sockets and timers. */
  resources: Record<string, number>
}

// In a deployment, this variable is the version in package.json.
process.env.SERVICE_VERSION ??= 'measured'

const functions = {
  'user-events': (await import('../../../functions/user-events.ts')).handler,
  'token-events': (await import('../../../functions/token-events.ts')).handler,
  docs: (await import('../../../functions/docs.ts')).handler,
  status: (await import('../../../functions/status.ts')).handler,
  fallback: (await import('../../../functions/fallback.ts')).handler,
} as unknown as Record<keyof Functions, LambdaHandler>

const listening = await listenFor(() => functions)
process.once('disconnect', () => void listening.stop())
process.on('message', () => process.send?.(state()))
process.send?.({ baseUrl: listening.baseUrl })

function state(): ProcessState {
  globalThis.gc?.()
  const resources: Record<string, number> = {}
  for (const name of getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const { rss, heapUsed } = memoryUsage()
  return { rssBytes: rss, heapBytes: heapUsed, resources }
}
