import { HttpRequestError, LimitExceededRpcError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import type { Network } from '../../events/networks.ts'

/** No node returned a usable reply in several rounds over all nodes, or the addresses of all nodes are wrong. */
export class NodesUnavailableError extends Error {
  override readonly name = 'NodesUnavailableError'
  readonly code = 'nodes-unavailable'

  readonly nodes: readonly string[]

  constructor({ nodes, cause }: { nodes: readonly string[]; cause: unknown }) {
    super(`No node gives a valid answer: ${nodes.join(', ')} (${reasonOf(cause)})`, { cause })
    this.nodes = nodes
  }
}

/** A node's reply is invalid, or contradicts another reply. */
export class BadReplyError extends Error {
  override readonly name = 'BadReplyError'
  readonly code = 'bad-reply'
}

export class NotJsonRpcError extends Error {
  override readonly name = 'NotJsonRpcError'
  readonly code = 'not-json-rpc'

  constructor(reply: string) {
    super(`it responds with ${reply} instead of JSON-RPC`)
  }
}

/**
 * Thrown if a node answers a batch with one error instead of a list (https://www.jsonrpc.org/specification#batch), for
 * example because the batch is too large or because there were too many requests. `code` is the node's error code.
 */
export class RefusedBatchError extends Error {
  override readonly name = 'RefusedBatchError'
  readonly code: number

  constructor({ code, message }: { code: number; message: string }) {
    super(message)
    this.code = code
  }
}

/** The configuration is wrong, so retries do not help. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
  readonly code = 'wrong-chain'

  constructor({ node, network, expected, actual, other }: WrongChain) {
    const found = other ? `${other} (chain id ${actual})` : `the chain with id ${actual}`
    const remedy = other
      ? `Use a node of ${network}, or set the network to ${other}`
      : `Use a node of ${network}; for a test network or a chain of your own, set its id with --chain-id (chainId in the function's configuration)`
    super(`The node ${node} serves ${found}, not ${network} (chain id ${expected}). ${remedy}`)
  }
}

interface WrongChain {
  /** The host name in the node's address. The rest of the address is omitted, because it may contain a key. */
  node: string
  network: Network
  expected: number
  actual: number
  /** The network whose chain the node serves. Undefined if the service does not know that chain. */
  other?: Network
}

export class RangeRefusedError extends Error {
  override readonly name = 'RangeRefusedError'
  readonly code = 'range-refused'

  constructor({ first, last, cause }: { first: number; last: number; cause: unknown }) {
    super(`The node refuses the range of blocks ${first} to ${last} (${reasonOf(cause)})`, { cause })
  }
}

/** A node no longer has a contract's state, because most nodes keep the states of contracts only for recent blocks. */
export class StateRefusedError extends Error {
  override readonly name = 'StateRefusedError'
  readonly code = 'state-refused'

  constructor({ cause }: { cause: unknown }) {
    super(`The node no longer has the state of the block (${reasonOf(cause)})`, { cause })
  }
}

/** The nodes' replies do not prove the logs of a block, or no rule exists for proving them. */
export class UnprovenBlockError extends Error {
  override readonly name = 'UnprovenBlockError'
  readonly code = 'unproven-block'

  /** Whether a retry, even on another node, would fail in the same way. */
  readonly isFinal: boolean

  constructor({ network, number, reason, isFinal }: UnprovenBlock) {
    super(
      `${network}: the logs of block ${number} are not proven: ${reason}. Use another node, or index with less proof: --proof doubt or --proof none (proof in the function's configuration)`,
    )
    this.isFinal = isFinal
  }
}

interface UnprovenBlock {
  network: Network
  number: number
  reason: string
  isFinal: boolean
}

/** Describes an error in one line, without the node's address, because the address often contains a key. */
export function reasonOf(error: unknown): string {
  const { details, shortMessage, message } = error as {
    details?: string
    shortMessage?: string
    message?: string
  }
  const told = details || shortMessage || message || String(error)
  const code = told === FETCH_FAILED ? codeOf(error) : undefined
  return (code === undefined ? told : `${told}: ${code}`).replace(/\s+/g, ' ').slice(0, 300)
}

/**
 * The message of network errors. Only the cause's code is shown, because the cause's message may contain the address.
 */
const FETCH_FAILED = 'fetch failed'
/** https://fetch.spec.whatwg.org/#port-blocking */
const BAD_PORT = 'EBADPORT'

/** The innermost code, such as ECONNREFUSED. `BAD_PORT` if `fetch` blocks the port, because that error has no code. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { cause, code, message } = error as NodeJS.ErrnoException
  if (message === 'bad port') return BAD_PORT
  return codeOf(cause) ?? (typeof code === 'string' ? code : undefined)
}

const NOT_TOO_MUCH = [BadReplyError, NotJsonRpcError, UnprovenBlockError, WrongChainError]
/** The HTTP statuses of failures that a smaller request may avoid, because it takes less time and returns less data. */
const TOO_MUCH = new Set([400, 408, 413, 500, 504])

/**
 * Whether an error may mean that a request was too large: too many results, too wide a range, too large a response or
 * too much time. Nodes word this error in dozens of ways, so the result is true for every error without another known
 * meaning. A wrong guess is harmless, because it only makes the next request smaller.
 */
export function mayBeTooMuch(error: unknown): boolean {
  if (NOT_TOO_MUCH.some(kind => error instanceof kind) || isRateLimit(error)) return false
  if (error instanceof TimeoutError || error instanceof ResponseBodyTooLargeError) return true
  if (error instanceof HttpRequestError) return error.status !== undefined && TOO_MUCH.has(error.status)
  return error instanceof Error && error.name !== 'AbortError'
}

/** The error codes for a port that is closed or blocked, and for a host that does not exist or cannot be reached. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', BAD_PORT])
/** The HTTP statuses for an address in which the key is missing or wrong. */
const NO_ADMITTANCE = new Set([401, 403, 404])

/** Whether the address is probably wrong, so waiting would not help. */
export const isWrongAddress = (error: unknown): boolean =>
  error instanceof NotJsonRpcError ||
  UNREACHABLE.has(codeOf(error) ?? '') ||
  (error instanceof HttpRequestError && NO_ADMITTANCE.has(error.status ?? 0))

/** Whether the node is unreachable, overloaded or too slow, so the same request may succeed later. */
export const isOutage = (error: unknown): boolean =>
  isRateLimit(error) ||
  (error instanceof HttpRequestError && (error.status === undefined || error.status >= 500)) ||
  (error instanceof Error && error.name === 'TimeoutError')

/** Whether the node returned an error that it would return again for the same request. */
export const isRefusal = (error: unknown): boolean =>
  typeof (error as { code?: unknown }).code === 'number' &&
  !(error instanceof RefusedBatchError) &&
  !isRateLimit(error)

function isRateLimit(error: unknown): boolean {
  if (error instanceof HttpRequestError) return error.status === 429
  const { code } = error as { code?: unknown }
  // Some nodes also use the error code of rate limits for "query returned more than 10000 results".
  if (code === LimitExceededRpcError.code) return !/result|range|size|logs|block/i.test(reasonOf(error))
  return code === 429 || code === -32007
}
