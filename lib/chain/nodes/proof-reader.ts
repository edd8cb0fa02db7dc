import { pMapIterable } from 'p-map'
import { decodersOf, topicsOf } from '../logs/event-decoders.ts'
import type { ProvableHeader } from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import { checkLinks } from './check-replies.ts'
import { type BlockRange, needProvableHeaders } from './get-block.ts'
import { type CheckedNode, type NodesOfChain, nodesOfChain } from './nodes-of-chain.ts'
import type { ReaderOptions } from './read-chain.ts'
import { type BlockProof, createBlockProver, findRule } from './read-proven-block.ts'
import { BadReplyError } from './rpc-errors.ts'

const MOST_HEADERS_AT_ONCE = 100
const REQUESTS_AT_ONCE = 4
/**
 * A block counts as unproven only after the same node has failed to prove it this many times, because a single reply
 * may arrive damaged.
 */
const READINGS_OF_A_NODE = 2

/** All methods can throw `WrongChainError` or `NodesUnavailableError`. */
export interface ProofReader {
  /**
   * Yields headers in groups, and reads up to four hundred headers ahead. Each header is the parent of the next. The
   * first group has one header, and each further group has twice as many as the group before it, up to a hundred.
   */
  readHeaders(range: BlockRange, signal: AbortSignal): AsyncIterable<ProvableHeader[]>
  readHeader(number: number, signal: AbortSignal): Promise<ProvableHeader>
  /** Returns the first proof that a node gives, or `none` if no rule exists or a node has failed twice. */
  proveBlock(header: ProvableHeader, signal: AbortSignal): Promise<BlockProof>
}

/** Proves the logs that an indexer with the same options reads: those of the configured contracts. */
export function createProofReader(options: ReaderOptions): ProofReader {
  const { network, contracts } = options
  const chain = nodesOfChain(options)
  const proveBy = createBlockProver({ network, contracts, topics: topicsOf(decodersOf(options)) })

  function read(
    part: BlockRange,
    { parent, signal }: { parent?: ProvableHeader | undefined; signal: AbortSignal },
  ) {
    const task = async (node: ChainNode, limited: AbortSignal) => {
      const headers = await needProvableHeaders(node, part, limited)
      if (parent) checkLinks([parent, ...headers])
      // The proof may come from another node, so `doubt` also names the node that returned the header.
      return headers.map(header =>
        header.doubt === undefined ? header : { ...header, doubt: `${header.doubt} (node ${node.name})` },
      )
    }
    const doubtIn = (headers: ProvableHeader[]) => headers.find(({ doubt }) => doubt !== undefined)?.doubt
    return askForProof(chain, task, { doubtIn, signal })
  }

  async function* readHeaders(range: BlockRange, signal: AbortSignal) {
    let parent: ProvableHeader | undefined
    const parts = pMapIterable(
      partsOf(range),
      async part => ({ part, headers: await read(part, { signal }) }),
      { concurrency: REQUESTS_AT_ONCE },
    )
    for await (const { part, headers } of parts) {
      // If the parts come from different nodes, or if the chain was reorganised in between, this part may belong to a
      // different chain. The part is then read again, and must continue the previous part.
      const isContradicted = parent && headers[0]?.parentHash !== parent.hash
      const linked = isContradicted ? await read(part, { parent, signal }) : headers
      parent = linked.at(-1)
      yield linked
    }
  }

  return {
    readHeaders,
    async readHeader(number, signal) {
      const [header] = await read({ first: number, last: number }, { signal })
      return header as ProvableHeader
    },
    proveBlock(header, signal) {
      const task = (node: CheckedNode, limited: AbortSignal) => proveBy(node, header, limited)
      const doubtIn = (proof: BlockProof, node: CheckedNode) =>
        proof.proof === 'none' && 'rule' in findRule(node, header) ? proof.reason : undefined
      return askForProof(chain, task, { doubtIn, signal })
    },
  }
}

/** Returns the first proven result. Returns an unproven result only if a node has failed `READINGS_OF_A_NODE` times. */
function askForProof<T>(
  chain: NodesOfChain,
  task: (node: CheckedNode, signal: AbortSignal) => Promise<T>,
  { doubtIn, signal }: { doubtIn: (result: T, node: CheckedNode) => string | undefined; signal: AbortSignal },
): Promise<T> {
  const readings = new Map<CheckedNode, number>()
  return chain.ask(async (node, limited) => {
    const result = await task(node, limited)
    const doubt = doubtIn(result, node)
    const times = (readings.get(node) ?? 0) + 1
    if (doubt === undefined || times >= READINGS_OF_A_NODE) return result
    readings.set(node, times)
    throw new BadReplyError(doubt)
  }, signal)
}

/** The audit function stores only completed parts, so the first parts are small enough for very slow nodes. */
function* partsOf({ first, last }: BlockRange): Generator<BlockRange> {
  let count = 1
  for (let next = first; next <= last; next += count, count = Math.min(MOST_HEADERS_AT_ONCE, count * 2)) {
    yield { first: next, last: Math.min(last, next + count - 1) }
  }
}
