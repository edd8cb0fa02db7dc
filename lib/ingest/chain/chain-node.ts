import { http } from 'viem'

export interface ChainNode {
  /** The host; the rest of the address often holds a key. */
  name: string
  /** One JSON-RPC request, until `signal` ends it; those of one signal that are made at once travel together. */
  request(method: string, params: unknown[], signal: AbortSignal): Promise<unknown>
}

export interface NodeOptions {
  /** Repetitions of a request, beside trying other nodes. */
  retryCount?: number | undefined
  /** Before the first repetition; it doubles with each. */
  retryDelayMs?: number | undefined
}

const RETRY_COUNT = 2
const RETRY_DELAY_MS = 150
/** Providers count requests, not batches, and limit what a batch may hold; 100 is taken by all known ones. */
const BATCH_SIZE = 100
/** A block of an Ethereum chain can hold logs of several MB; more than this comes of too wide a range. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** A node by its JSON-RPC address. Busy nodes are asked again when they say (Retry-After), or after a delay. */
export function connectNode(url: string, options: NodeOptions = {}): ChainNode {
  const { retryCount = RETRY_COUNT, retryDelayMs = RETRY_DELAY_MS } = options
  const transport = http(url, {
    batch: { batchSize: BATCH_SIZE },
    // The signal ends a request; the transport's own limit has no effect on one with a signal.
    timeout: 0,
    retryCount,
    retryDelay: retryDelayMs,
    maxResponseBodySize: MAX_REPLY_BYTES,
  })({})
  return {
    name: new URL(url).host,
    request: (method, params, signal) => transport.request({ method, params }, { signal }),
  }
}
