import { HttpRequestError, http } from 'viem'
import * as z from 'zod/mini'
import { NotJsonRpcError, RefusedBatchError } from './rpc-errors.ts'

export interface ChainNode {
  /** The host in the node's address. The rest of the address is omitted, because it often contains a key. */
  name: string
  /**
   * Fails as soon as `signal` aborts. Concurrent requests with the same signal are sent in batches of up to
   * `BATCH_SIZE`.
   */
  request(method: string, params: unknown[], signal: AbortSignal): Promise<unknown>
}

export interface NodeOptions {
  /** The number of retries on this node before another node is tried. */
  retryCount?: number | undefined
  /** The delay before the first retry, which doubles with each further retry. */
  retryDelayMs?: number | undefined
}

const RETRY_COUNT = 2
const RETRY_DELAY_MS = 150
/** All known providers accept batches of 100, and count each request, so larger batches would not be cheaper. */
const BATCH_SIZE = 100
/**
 * The logs of one Ethereum block can take several MB, so a reply exceeds this limit only if the range of blocks is too
 * wide.
 */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** If the node is busy, repeats a request after the delay in the header `Retry-After`, or after a default delay. */
export function connectNode(url: string, options: NodeOptions = {}): ChainNode {
  const { retryCount = RETRY_COUNT, retryDelayMs = RETRY_DELAY_MS } = options
  const transport = http(url, {
    batch: { batchSize: BATCH_SIZE },
    // The transport needs no timeout, because every request has a signal that aborts it.
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

/** A body with fewer bytes cannot be a JSON-RPC reply. */
const SHORTEST_REPLY_BYTES = 16

/** Throws HTTP errors itself, because the transport would treat a JSON object in the body as the reply to a batch. */
async function refuseOtherReplies(response: Response): Promise<void> {
  if (!response.ok) throw await httpErrorOf(response)
  if (/html/i.test(response.headers.get('content-type') ?? '')) throw new NotJsonRpcError('a web page (HTML)')
  const { text, isShort } = await beginningOf(response.clone())
  if (isShort) throw new NotJsonRpcError(text.trim() || 'an empty body')
  const refusal = text.trimStart().startsWith('{') && refusalIn(text)
  if (refusal) throw new RefusedBatchError(refusal)
}

const refusalSchema = z.object({ error: z.object({ code: z.number(), message: z.string() }) })

/** Every request is sent as a batch, so an object instead of a list is the reply to the whole batch. */
function refusalIn(text: string): { code: number; message: string } | undefined {
  try {
    return refusalSchema.safeParse(JSON.parse(text)).data?.error
  } catch {
    return undefined
  }
}

async function httpErrorOf({ status, statusText, headers, url, body }: Response): Promise<HttpRequestError> {
  const reader = body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  reader?.cancel().catch(() => undefined)
  const text = Buffer.from(value ?? []).toString()
  const plain = /^\s*[<{[]/.test(text) ? statusText : text.trim().slice(0, 200)
  const [, message = plain] = /"(?:message|error)"\s*:\s*"([^"]{1,200})"/.exec(text) ?? []
  return new HttpRequestError({ status, headers, url, details: `HTTP ${status}${message && `: ${message}`}` })
}

/** Reads a short body completely, and only the beginning of a longer body. */
async function beginningOf({ body }: Response): Promise<{ text: string; isShort: boolean }> {
  const reader = body?.getReader()
  let bytes = Buffer.alloc(0)
  while (reader && bytes.length < SHORTEST_REPLY_BYTES) {
    const { done, value } = await reader.read()
    if (done) return { text: bytes.toString(), isShort: true }
    bytes = Buffer.concat([bytes, value])
  }
  // The cancellation of a cloned body resolves only after the original body has been read, so it is not awaited.
  reader?.cancel().catch(() => undefined)
  return { text: bytes.toString(), isShort: reader === undefined }
}

/** The transport wraps the errors that this module throws, and throws its own errors for malformed replies. */
function otherReplyIn(error: unknown): Error | undefined {
  if (error instanceof NotJsonRpcError || error instanceof RefusedBatchError) return error
  if (!(error instanceof Error)) return undefined
  const { name, message, cause } = error
  // Truncated JSON also causes a SyntaxError, but means that the transmission failed, not that the address is wrong.
  if (name === 'SyntaxError' && message.startsWith('Unexpected token')) {
    return new NotJsonRpcError(message.includes("token '<'") ? 'a web page (HTML)' : 'text that is not JSON')
  }
  if (name === 'UnknownRpcError' && cause instanceof TypeError) return new NotJsonRpcError('other JSON')
  return otherReplyIn(cause)
}
