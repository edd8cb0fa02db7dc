import type { Hex } from 'viem'
import type { Contracts } from '../../store/checkpoint.ts'
import { decodersOf, type FurtherEvents, topicsOf } from '../event-decoders.ts'
import type { RawLog } from '../raw-log.ts'
import { type BlockHeader, parseBlockHeader } from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import { checkChain, type ExpectedChain } from './check-chain.ts'
import { checkBlock, checkLinks, checkLogs } from './check-replies.ts'
import { createBloomTest } from './logs-bloom.ts'
import type { NodeGroup } from './node-group.ts'
import { BadReplyError, isRefusal, mayBeTooMuch, RangeRefusedError, StateRefusedError } from './rpc-errors.ts'
import { createTimestamps } from './timestamps.ts'

/**
 * What the indexer asks of a chain. Every reply is checked against the blocks that it claims to be of. All throw
 * `WrongChainError` rather than ask a node of another chain.
 */
export interface ChainReader {
  readHeads(signal: AbortSignal): Promise<Heads>
  /** Blocks by their numbers; undefined for those that the node has none of. */
  readHeaders(numbers: readonly number[], signal: AbortSignal): Promise<(BlockHeader | undefined)[]>
  /** A block that every node should have: one that does not is taken for one that failed, and the next is asked. */
  readHeader(number: number, signal: AbortSignal): Promise<BlockHeader>
  /**
   * The logs of blocks that can no longer leave the chain, in chain order, and the last block. Throws
   * `RangeRefusedError` when the node does not give so much at once.
   */
  readRange(range: BlockRange, signal: AbortSignal): Promise<{ logs: RawLog[]; last: BlockHeader }>
  /** Whether there was a contract at an address after a block. Throws `StateRefusedError` where the node does not tell. */
  hasCode(address: string, number: number, signal: AbortSignal): Promise<boolean>
  /** Blocks that follow each other, and the logs of each, however the chain may change meanwhile. */
  readBlocks(range: BlockRange, signal: AbortSignal): Promise<{ header: BlockHeader; logs: RawLog[] }[]>
}

/** How far a chain is. */
export interface Heads {
  chainId: number
  /** The newest block. */
  head: BlockHeader
  /** The newest that can no longer leave the chain; undefined where the node does not know. */
  finalized: BlockHeader | undefined
}

/** Both ends included. */
export interface BlockRange {
  first: number
  last: number
}

export interface ReaderOptions extends ExpectedChain, FurtherEvents {
  nodes: NodeGroup
  contracts: Contracts
}

export function createChainReader(options: ReaderOptions): ChainReader {
  const { network, chainId, nodes, contracts } = options
  const topics = topicsOf(decodersOf(options))
  const filter = { topics: [topics], ...(contracts !== 'any' && { address: contracts }) }
  const mayHoldEvents = createBloomTest(topics)
  const timestamps = createTimestamps()
  const claim = { network, contracts, topics: new Set<string>(topics) }
  /** The node that was checked last: one that takes over is asked for nothing before it was, too. */
  let checked: ChainNode | undefined

  async function check(node: ChainNode, signal: AbortSignal) {
    const actual = await checkChain(node, { network, chainId }, signal)
    checked = node
    return actual
  }

  const askOnChain: NodeGroup['ask'] = (task, signal) =>
    nodes.ask(async (node, limited) => {
      if (node !== checked) await check(node, limited)
      return task(node, limited)
    }, signal)

  const getLogs = (node: ChainNode, where: object, signal: AbortSignal) =>
    node.request('eth_getLogs', [{ ...filter, ...where }], signal)

  return {
    readHeads: (signal: AbortSignal) =>
      nodes.ask(async (node, limited) => {
        const [actual, head, finalized] = await Promise.all([
          check(node, limited),
          getBlock(node, 'latest', limited),
          // Nodes that don't know the name refuse it in various ways.
          getBlock(node, 'finalized', limited).catch(() => undefined),
        ])
        if (!head) throw new BadReplyError('The node has no newest block')
        return { chainId: actual, head, finalized }
      }, signal),

    readHeaders: (numbers, signal) =>
      askOnChain((node, limited) => Promise.all(numbers.map(each => getBlock(node, each, limited))), signal),

    readHeader: (number, signal) => askOnChain((node, limited) => needBlock(node, number, limited), signal),

    readRange: ({ first, last }, signal) =>
      askOnChain(async (node, limited) => {
        const blocks = last - first + 1
        try {
          const [reply, lastHeader] = await Promise.all([
            getLogs(node, { fromBlock: toHex(first), toBlock: toHex(last) }, limited),
            // A node that lags has no logs of blocks that it doesn't have, and says nothing of it.
            needBlock(node, last, limited),
            // A backfill reads ranges for hours, and no heads between them.
            check(node, limited),
          ])
          timestamps.learn([lastHeader])
          const read = (number: number) => needBlock(node, number, limited)
          const logs = await timestamps.add(reply, read)
          const checked = checkLogs(logs, { ...claim, first, last, header: lastHeader })
          const lastLog = checked.at(-1)
          // One block of the piece is looked at, for a node that mixes up its blocks.
          if (lastLog) checkBlock(lastLog, await read(lastLog.blockNumber))
          return { logs: checked, last: lastHeader }
        } catch (cause) {
          if (blocks > 1 && !signal.aborted && (limited.aborted || mayBeTooMuch(cause))) {
            throw new RangeRefusedError({ first, last, cause })
          }
          throw cause
        }
      }, signal),

    hasCode: (address, number, signal) =>
      askOnChain(async (node, limited) => {
        try {
          const code = await node.request('eth_getCode', [address, toHex(number)], limited)
          if (typeof code !== 'string') throw new BadReplyError(`No code of a contract: ${typeof code}`)
          return code !== '0x'
        } catch (cause) {
          throw isRefusal(cause) ? new StateRefusedError({ cause }) : cause
        }
      }, signal),

    readBlocks: ({ first, last }, signal) =>
      askOnChain(async (node, limited) => {
        const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
        const headers = await Promise.all(numbers.map(each => needBlock(node, each, limited)))
        checkLinks(headers)
        return Promise.all(
          headers.map(async header => {
            if (!mayHoldEvents(header.logsBloom)) return { header, logs: [] }
            const reply = await getLogs(node, { blockHash: header.hash }, limited)
            const logs = await createTimestamps([header]).add(reply, async () => header)
            const { number } = header
            return { header, logs: checkLogs(logs, { ...claim, first: number, last: number, header }) }
          }),
        )
      }, signal),
  }
}

const toHex = (value: number): Hex => `0x${value.toString(16)}`

async function getBlock(node: ChainNode, block: number | 'latest' | 'finalized', signal: AbortSignal) {
  const name = typeof block === 'number' ? toHex(block) : block
  const header = parseBlockHeader(await node.request('eth_getBlockByNumber', [name, false], signal))
  if (header && typeof block === 'number' && header.number !== block) {
    throw new BadReplyError(`Asked for block ${block}, the node returned ${header.number}`)
  }
  return header
}

async function needBlock(node: ChainNode, number: number, signal: AbortSignal): Promise<BlockHeader> {
  const header = await getBlock(node, number, signal)
  if (!header) throw new BadReplyError(`The node does not have block ${number}`)
  return header
}
