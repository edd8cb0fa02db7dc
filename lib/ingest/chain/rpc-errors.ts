import { HttpRequestError, LimitExceededRpcError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import type { Network } from '../../events/networks.ts'

/** No node could be used, in several rounds over all of them. */
export class NodesUnavailableError extends Error {
  override readonly name = 'NodesUnavailableError'
  readonly code = 'nodes-unavailable'

  readonly nodes: readonly string[]

  constructor({ nodes, cause }: { nodes: readonly string[]; cause: unknown }) {
    super(`No node answers as it should: ${nodes.join(', ')} (${reasonOf(cause)})`, { cause })
    this.nodes = nodes
  }
}

/** A node's reply cannot be true, or contradicts another one of its replies. */
export class BadReplyError extends Error {
  override readonly name = 'BadReplyError'
  readonly code = 'bad-reply'
}

/** What answers is no node: a web page, or JSON of another form. */
export class NotJsonRpcError extends Error {
  override readonly name = 'NotJsonRpcError'
  readonly code = 'not-json-rpc'

  constructor(reply: string) {
    super(`it answers with ${reply}, not with JSON-RPC`)
  }
}

/** A node is of another chain than its network: what is wrong is the configuration, and other tries are in vain. */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError'
  readonly code = 'wrong-chain'

  constructor({ node, network, expected, actual, other }: WrongChain) {
    const found = other ? `of ${other} (chain id ${actual})` : `of the chain with id ${actual}`
    const remedy = other
      ? `Give a node of ${network}, or ${other} as the network`
      : `Give a node of ${network}; if a test network or a chain of your own is to stand in for it, name its id with --chain-id (chainId in the function's configuration)`
    super(`The node ${node} is ${found}, not of ${network} (chain id ${expected}). ${remedy}`)
  }
}

interface WrongChain {
  /** The host of its address; the rest may hold a key. */
  node: string
  network: Network
  expected: number
  actual: number
  /** The network whose chain it is, where that is one that is served. */
  other?: Network
}

/** The node does not give so much at once. */
export class RangeRefusedError extends Error {
  override readonly name = 'RangeRefusedError'
  readonly code = 'range-refused'

  constructor({ first, last, cause }: { first: number; last: number; cause: unknown }) {
    super(`The node refuses the blocks ${first} to ${last} at once (${reasonOf(cause)})`, { cause })
  }
}

/** The node does not tell what a contract was at a block; most keep the states of recent blocks only. */
export class StateRefusedError extends Error {
  override readonly name = 'StateRefusedError'
  readonly code = 'state-refused'

  constructor({ cause }: { cause: unknown }) {
    super(`The node does not tell of the state at a block (${reasonOf(cause)})`, { cause })
  }
}

/** One line about an error, without the address of the node, which often holds a key. */
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

/** All that fetch says itself. Why is in the cause, whose message is not told for it may name the address. */
const FETCH_FAILED = 'fetch failed'
/** https://fetch.spec.whatwg.org/#port-blocking */
const BAD_PORT = 'EBADPORT'

/** The code of the innermost cause that has one, such as ECONNREFUSED; fetch gives none for ports that it refuses to ask. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { cause, code, message } = error as NodeJS.ErrnoException
  if (message === 'bad port') return BAD_PORT
  return codeOf(cause) ?? (typeof code === 'string' ? code : undefined)
}

const NOT_TOO_MUCH = [BadReplyError, NotJsonRpcError, WrongChainError]
/** Asked for less, the node would need less time and send less. */
const TOO_MUCH = new Set([400, 408, 413, 500, 504])

/**
 * Whether an error may be an answer to "too much at once": too many results, too wide a range, too large
 * a response, too long a time. Nodes word it in dozens of ways, so it is whatever is not known to be
 * something else; asking for less is harmless where it was.
 */
export function mayBeTooMuch(error: unknown): boolean {
  if (NOT_TOO_MUCH.some(kind => error instanceof kind) || isRateLimit(error)) return false
  if (error instanceof TimeoutError || error instanceof ResponseBodyTooLargeError) return true
  if (error instanceof HttpRequestError) return error.status !== undefined && TOO_MUCH.has(error.status)
  return error instanceof Error && error.name !== 'AbortError'
}

/** Nothing listens there, or there is no such host. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', BAD_PORT])
/** The address lacks its key, or has another one's. */
const NO_ADMITTANCE = new Set([401, 403, 404])

/** Whether the address is wrong, as far as one can see: waiting would hardly help. */
export const isWrongAddress = (error: unknown): boolean =>
  error instanceof NotJsonRpcError ||
  UNREACHABLE.has(codeOf(error) ?? '') ||
  (error instanceof HttpRequestError && NO_ADMITTANCE.has(error.status ?? 0))

/** Whether the node has answered, with an error that another try would meet again. */
export const isRefusal = (error: unknown): boolean =>
  typeof (error as { code?: unknown }).code === 'number' && !isRateLimit(error)

function isRateLimit(error: unknown): boolean {
  if (error instanceof HttpRequestError) return error.status === 429
  const { code } = error as { code?: unknown }
  // The code that stands for the rate is also used for "query returned more than 10000 results".
  if (error instanceof LimitExceededRpcError) return !/result|range|size|logs|block/i.test(error.details)
  return code === 429 || code === -32007
}
