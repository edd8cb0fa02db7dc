import type { Hex } from 'viem'
import type { Contracts } from '../../store/format/checkpoint.ts'
import { decodersOf, type FurtherEvents, topicsOf } from '../logs/event-decoders.ts'
import type { RawLog } from '../logs/raw-log.ts'
import type { BlockHeader } from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import type { ExpectedChain } from './check-chain.ts'
import { checkBlock, checkLogs, checkParent } from './check-replies.ts'
import { type BlockRange, getBlock, needBlock, needHeader, needProvableHeaders, toHex } from './get-block.ts'
import { createBloomSieve } from './logs-bloom.ts'
import type { NodeGroup } from './node-group.ts'
import { askOtherHosts, type CheckedNode, nodesOfChain } from './nodes-of-chain.ts'
import { createFinalityCheck, readFinalBlock } from './read-final-block.ts'
import {
  createProvenReader,
  type ProofLevel,
  type ReadLogsOfBlocks,
  type UnprovenLogs,
} from './read-proven-logs.ts'
import {
  BadReplyError,
  isRefusal,
  mayBeTooMuch,
  NodesUnavailableError,
  RangeRefusedError,
  StateRefusedError,
} from './rpc-errors.ts'
import { createDoubtfulReader, type ReadLogs } from './settle-doubt.ts'
import { createTimestamps } from './timestamps.ts'

/** Every reply is checked against the requested blocks. All methods can throw `WrongChainError`. */
export interface ChainReader {
  readHeads(signal: AbortSignal): Promise<Heads>
  /**
   * Undefined for each block above `neededThrough` that the node lacks. If it lacks another of the blocks, the next
   * node is tried.
   */
  readHeaders(
    numbers: readonly number[],
    signal: AbortSignal,
    neededThrough?: number,
  ): Promise<(BlockHeader | undefined)[]>
  /** If a node lacks a block, or if a block is not the parent of the next block, the next node is tried. */
  readLinkedHeaders(range: BlockRange, signal: AbortSignal): Promise<BlockHeader[]>
  /** If a node lacks the block, the next node is tried. */
  readHeader(number: number, signal: AbortSignal): Promise<BlockHeader>
  /**
   * Reads a block and its parent (undefined for block 0) from one node. If a node on another host returns a different
   * block, tries again.
   */
  readAgreedBlock(number: number, signal: AbortSignal): Promise<Agreed>
  /**
   * True as soon as a node returns one of these blocks. False if every node still returns other blocks with these
   * numbers after several rounds. Otherwise, a node did not answer or lacks one of these numbers, so the result is
   * unknown, and `NodesUnavailableError` is thrown.
   */
  isAnyOnChain(blocks: readonly BlockName[], signal: AbortSignal): Promise<boolean>
  /**
   * Reads the logs of a range of final blocks, in chain order, and the last block's header. Throws `RangeRefusedError`
   * if the range may be too wide for the node. If the first block's parent is not `parentHash`, or if `hasChild` is
   * true and the node lacks a child of the last block, the next node is tried.
   */
  readRange(range: LinkedRange, signal: AbortSignal): Promise<{ logs: RawLog[]; last: BlockHeader }>
  /** Whether the address has code after the block. Throws `StateRefusedError` if the node no longer has this state. */
  hasCode(address: string, number: number, signal: AbortSignal): Promise<boolean>
  /** All blocks belong to one chain, even if the chain is reorganised during the read. */
  readBlocks(range: BlockRange, signal: AbortSignal): Promise<{ header: BlockHeader; logs: RawLog[] }[]>
}

type BlockName = Pick<BlockHeader, 'number' | 'hash'>

interface Agreed {
  block: BlockHeader
  parent: BlockHeader | undefined
}

export interface LinkedRange extends BlockRange {
  /** The hash of the block below the range. Undefined if this block is unknown. */
  parentHash?: string | undefined
  /** Whether the chain continues above the range. A node that serves an orphaned chain usually lacks the next block. */
  hasChild?: boolean
}

export interface Heads {
  chainId: number
  head: BlockHeader
  /** The newest final block. Undefined if the node does not report finality, or reports an implausible block. */
  finalized: BlockHeader | undefined
}

export interface ReaderOptions extends ExpectedChain, FurtherEvents {
  nodes: NodeGroup
  contracts: Contracts
  /** The default is `none`. */
  proof?: ProofLevel | undefined
  /** Called once for each reason why logs are accepted without the required proof. */
  onUnproven?: ((unproven: UnprovenLogs) => void) | undefined
}

export function createChainReader(options: ReaderOptions): ChainReader {
  const { network, nodes, contracts, proof } = options
  const topics = topicsOf(decodersOf(options))
  const filter = { topics: [topics], ...(contracts !== 'any' && { address: contracts }) }
  const timestamps = createTimestamps()
  const claim = { network, contracts, topics: new Set<string>(topics) }
  const chain = nodesOfChain(options)
  const askAnother = askOtherHosts(options)
  const checkFinality = createFinalityCheck(options)

  const getLogs = (node: ChainNode, where: object, signal: AbortSignal) =>
    node.request('eth_getLogs', [{ ...filter, ...where }], signal)

  async function readLogs(node: ChainNode, header: BlockHeader, signal: AbortSignal): Promise<RawLog[]> {
    const reply = await getLogs(node, { blockHash: header.hash }, signal)
    const logs = await createTimestamps([header]).add(reply, async () => header)
    return checkLogs(logs, { ...claim, first: header.number, last: header.number, header })
  }
  const readLogsOfBlocks = readerOf(options, { topics, readLogs })

  async function readProvenRange(node: CheckedNode, range: LinkedRange, signal: AbortSignal) {
    const [headers] = await Promise.all([needProvableHeaders(node, range, signal), chain.check(node, signal)])
    checkParent(headers[0], range)
    const logs = await readLogsOfBlocks(node, headers, signal)
    const last = headers.at(-1)
    if (!last) throw new RangeError(`The range ends before its first block ${range.first}`)
    return { logs: logs.flat(), last }
  }

  async function readLogsOfRange(
    node: CheckedNode,
    { first, last, parentHash }: LinkedRange,
    signal: AbortSignal,
  ) {
    const [reply, lastHeader, firstHeader] = await Promise.all([
      getLogs(node, { fromBlock: toHex(first), toBlock: toHex(last) }, signal),
      // The last block is read too, because a lagging node returns an empty list for blocks that it lacks.
      needBlock(node, last, signal),
      parentHash === undefined ? undefined : needBlock(node, first, signal),
      // The chain id is checked here too, because a backfill may read ranges for hours without reading the head.
      chain.check(node, signal),
    ])
    checkParent(firstHeader, { parentHash })
    timestamps.learn([lastHeader])
    const read = (number: number) => needBlock(node, number, signal)
    const logs = await timestamps.add(reply, read)
    const checked = checkLogs(logs, { ...claim, first, last, header: lastHeader })
    const lastLog = checked.at(-1)
    // The last log is compared with its block, because the node may have returned the logs of orphaned blocks.
    if (lastLog) checkBlock(lastLog, await read(lastLog.blockNumber))
    return { logs: checked, last: lastHeader }
  }

  return {
    readHeads: (signal: AbortSignal) =>
      nodes.ask(async (node, limited) => {
        const [checked, head, finalized] = await Promise.all([
          chain.check(node, limited),
          getBlock(node, 'latest', limited),
          readFinalBlock(node, limited),
        ])
        if (!head) throw new BadReplyError('The node did not return its newest block')
        if (finalized && finalized.number > head.number) {
          throw new BadReplyError(
            `The final block ${finalized.number} is above the newest block ${head.number}`,
          )
        }
        const claim = { node: checked, head, finalized }
        return { chainId: checked.chainId, head, finalized: await checkFinality(claim, limited) }
      }, signal),

    readHeaders: (numbers, signal, neededThrough = -1) =>
      chain.ask((node, limited) => {
        const read = (number: number) =>
          (number <= neededThrough ? needBlock : getBlock)(node, number, limited)
        return Promise.all(numbers.map(read))
      }, signal),

    readLinkedHeaders: (range, signal) =>
      chain.ask((node, limited) => needProvableHeaders(node, range, limited), signal),

    readHeader: (number, signal) => chain.ask((node, limited) => needBlock(node, number, limited), signal),

    readAgreedBlock: (number, signal) =>
      chain.ask(async (node, limited) => {
        const range = { first: Math.max(0, number - 1), last: number }
        const [block, parent] = (await needProvableHeaders(node, range, limited)).toReversed()
        const readThere = async (another: CheckedNode, signal: AbortSignal) => ({
          ...(await needBlock(another, number, signal)),
          name: another.name,
        })
        const other = await askAnother(node, readThere, limited)
        if (block && (!other || other.hash === block.hash)) return { block, parent }
        throw new BadReplyError(
          `Block ${number} is ${block?.hash} on ${node.name}, but ${other?.hash} on ${other?.name}`,
        )
      }, signal),

    async isAnyOnChain(blocks, signal) {
      const numbers = blocks.map(({ number }) => number)
      const isOther = new BadReplyError(
        `None of the expected blocks ${numbers.join(', ')} is on the node's chain`,
      )
      const found = new AbortController()
      const look = async (node: ChainNode, limited: AbortSignal) => {
        const [headers] = await Promise.all([
          Promise.all(numbers.map(number => getBlock(node, number, limited))),
          chain.check(node, limited),
        ])
        // Without `prefer`, the next task could repeatedly ask a node that lacks the block.
        if (blocks.some(({ hash }, index) => headers[index]?.hash === hash)) return nodes.prefer(node)
        for (const [index, number] of numbers.entries()) needHeader(headers[index], number)
        throw isOther
      }
      const limited = AbortSignal.any([signal, found.signal])
      try {
        // All nodes are asked at once, because if they were asked in turn, two nodes that hang would take longer than a
        // function may run.
        await Promise.any(nodes.each().map(alone => alone.ask(look, limited)))
        return true
      } catch (error) {
        const errors: Error[] = (error as AggregateError).errors
        // `cause` is a node's last failure: if it is `isOther`, the last attempt still returned other blocks.
        const unsure = errors.filter(({ cause }) => cause !== isOther)
        if (unsure.length === 0) return false
        throw unsure.find(each => !(each instanceof NodesUnavailableError)) ?? unsure[0]
      } finally {
        found.abort()
      }
    },

    readRange: (range, signal) =>
      chain.ask(async (node, limited) => {
        const { first, last, hasChild } = range
        const blocks = last - first + 1
        try {
          const [read, child] = await Promise.all([
            proof === 'all' ? readProvenRange(node, range, limited) : readLogsOfRange(node, range, limited),
            hasChild ? needBlock(node, last + 1, limited) : undefined,
          ])
          checkParent(child, { parentHash: read.last.hash })
          return read
        } catch (cause) {
          if (blocks > 1 && !signal.aborted && (limited.aborted || mayBeTooMuch(cause))) {
            throw new RangeRefusedError({ first, last, cause })
          }
          throw cause
        }
      }, signal),

    hasCode: (address, number, signal) =>
      chain.ask(async (node, limited) => {
        try {
          const code = await node.request('eth_getCode', [address, toHex(number)], limited)
          if (typeof code !== 'string')
            throw new BadReplyError(`The node returned ${typeof code} instead of the code of a contract`)
          return code !== '0x'
        } catch (cause) {
          throw isRefusal(cause) ? new StateRefusedError({ cause }) : cause
        }
      }, signal),

    readBlocks: (range, signal) =>
      chain.ask(async (node, limited) => {
        const headers = await needProvableHeaders(node, range, limited)
        const logs = await readLogsOfBlocks(node, headers, limited)
        return headers.map((header, index) => ({ header, logs: logs[index] ?? [] }))
      }, signal),
  }
}

/** With the proof level `none`, skips blocks whose Bloom filter contains none of the topics. */
function readerOf(
  options: ReaderOptions,
  { topics, readLogs }: { topics: readonly Hex[]; readLogs: ReadLogs },
): ReadLogsOfBlocks {
  const reasons = new Set<string>()
  function onUnproven(unproven: UnprovenLogs) {
    if (reasons.has(unproven.reason)) return
    reasons.add(unproven.reason)
    options.onUnproven?.(unproven)
  }
  if (options.proof === 'all') return createProvenReader({ ...options, topics, onUnproven })
  if (options.proof === 'doubt') return createDoubtfulReader({ ...options, topics, onUnproven, readLogs })
  const topicsIn = createBloomSieve(topics)
  return (node, headers, signal) =>
    Promise.all(
      headers.map(header => (topicsIn(header.logsBloom).length === 0 ? [] : readLogs(node, header, signal))),
    )
}
