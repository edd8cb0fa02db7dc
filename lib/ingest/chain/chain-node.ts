import { http } from 'viem'
import { NotJsonRpcError } from './rpc-errors.ts'

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
    onFetchResponse: refuseOtherReplies,
  })({})
  return {
    name: new URL(url).host,
    async request(method, params, signal) {
      try {
        return await transport.request({ method, params }, { signal })
      } catch (error) {
        throw otherReplyIn(error) ?? error
      }
    },
  }
}

/** The shortest reply to anything is longer. */
const SHORTEST_REPLY_BYTES = 16

/** Throws `NotJsonRpcError` for a reply that is short enough, or says of itself, that it cannot be one of a node. */
async function refuseOtherReplies(response: Response): Promise<void> {
  if (!response.ok) return
  if (/html/i.test(response.headers.get('content-type') ?? '')) throw new NotJsonRpcError('a web page (HTML)')
  const text = await textIfShort(response.clone())
  if (text !== undefined) throw new NotJsonRpcError(text.trim() || 'an empty text')
}

/** A text of less than `SHORTEST_REPLY_BYTES`; of a longer one no more than its beginning is read. */
async function textIfShort({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader()
  let bytes = Buffer.alloc(0)
  while (reader && bytes.length < SHORTEST_REPLY_BYTES) {
    const { done, value } = await reader.read()
    if (done) return bytes.toString()
    bytes = Buffer.concat([bytes, value])
  }
  // Not waited for: a copy is done with only when the other one is.
  reader?.cancel().catch(() => undefined)
  return reader ? undefined : ''
}

/** The transport wraps what is thrown within, and fails in its own ways over replies of another form. */
function otherReplyIn(error: unknown): Error | undefined {
  if (error instanceof NotJsonRpcError) return error
  if (!(error instanceof Error)) return undefined
  const { name, message, cause } = error
  // Not so of JSON that was cut off on its way.
  if (name === 'SyntaxError' && message.startsWith('Unexpected token')) {
    return new NotJsonRpcError(message.includes("token '<'") ? 'a web page (HTML)' : 'what is no JSON')
  }
  if (name === 'UnknownRpcError' && cause instanceof TypeError) return new NotJsonRpcError('other JSON')
  return otherReplyIn(cause)
}
