import pMap from 'p-map'
import type { RawLog } from '../logs/raw-log.ts'
import type { ProvableHeader } from './block-header.ts'
import type { ExpectedChain } from './check-chain.ts'
import { needBlock, needProvableHeaders } from './get-block.ts'
import { createBloomSieve } from './logs-bloom.ts'
import type { NodeGroup } from './node-group.ts'
import { askOtherHosts, type CheckedNode } from './nodes-of-chain.ts'
import { createBlockProver, createLogsTest, findRule } from './read-proven-block.ts'
import { BLOCKS_AT_ONCE, type ProvenReaderOptions, type ReadLogsOfBlocks } from './read-proven-logs.ts'
import { BadReplyError, UnprovenBlockError } from './rpc-errors.ts'

/** Reads a block's logs with `eth_getLogs`, and checks them. */
export type ReadLogs = (node: CheckedNode, header: ProvableHeader, signal: AbortSignal) => Promise<RawLog[]>

interface DoubtOptions extends ProvenReaderOptions, ExpectedChain {
  nodes: NodeGroup
  readLogs: ReadLogs
}

interface ReadBlock {
  header: ProvableHeader
  /** Undefined if the logs must come from the block's receipts. */
  logs: RawLog[] | undefined
  /** How the logs contradict the Bloom filter, or why the filter proves nothing. Undefined if nothing is in doubt. */
  doubt: string | undefined
}

const ADMITS_CONTRACT = "according to the header's Bloom filter, the block may have events of the contracts"

/**
 * Creates a function that reads the logs of blocks and compares them with the Bloom filters in the headers. If
 * contracts are configured and a block's filter contains one of them, the logs come from the block's receipts, because
 * the filter alone cannot show whether logs are missing. If all contracts are indexed, too many blocks would need
 * receipts, so the logs come from `eth_getLogs`. These logs are in doubt if the filter contains a topic that no log
 * has, or lacks a log's address or topic. Logs in doubt are accepted if a node on another host has the same block and
 * returns the same logs. If the two nodes differ, or no other host answers, the logs come from the block's receipts. If
 * no rule exists for the receipts, a second read of the logs must give the same result. Throws `UnprovenBlockError` if
 * the receipts prove nothing.
 */
export function createDoubtfulReader(options: DoubtOptions): ReadLogsOfBlocks {
  const { readLogs, contracts } = options
  const mayHoldLogs = createLogsTest(options)
  const findDoubt = createDoubt(options)
  const settle = createSettlement(options)

  async function read(node: CheckedNode, header: ProvableHeader, signal: AbortSignal): Promise<ReadBlock> {
    // The header's hash does not prove its fields, so the Bloom filter may be wrong.
    if (header.doubt !== undefined) {
      return { header, logs: await readLogs(node, header, signal), doubt: header.doubt }
    }
    const known = findRule(node, header)
    const isAdmitted = mayHoldLogs(header)
    if (isAdmitted && contracts !== 'any') {
      const logs = 'rule' in known ? undefined : await readLogs(node, header, signal)
      return { header, logs, doubt: ADMITS_CONTRACT }
    }
    if ('rule' in known && known.rule.mayHaveStateSync) {
      return { header, logs: await readLogs(node, header, signal), doubt: undefined }
    }
    if (!isAdmitted) return { header, logs: [], doubt: undefined }
    const logs = await readLogs(node, header, signal)
    return { header, logs, doubt: findDoubt(header, logs) }
  }

  return async (node, headers, signal) => {
    // Reads all blocks concurrently, so that their requests are sent as one batch.
    const blocks = await Promise.all(headers.map(header => read(node, header, signal)))
    return pMap(
      blocks,
      ({ header, logs, doubt }) =>
        logs && doubt === undefined ? logs : settle(node, { header, logs, doubt }, signal),
      { concurrency: BLOCKS_AT_ONCE },
    )
  }
}

function createDoubt({ topics }: Pick<DoubtOptions, 'topics'>) {
  const topicsIn = createBloomSieve(topics)
  return ({ logsBloom }: ProvableHeader, logs: readonly RawLog[]): string | undefined => {
    const values = new Set(logs.flatMap(log => [log.address, ...log.topics]))
    const absent = topicsIn(logsBloom).find(value => !values.has(value))
    if (absent) return `no log has ${absent}, which the header's Bloom filter contains`
    const held = new Set(createBloomSieve([...values])(logsBloom))
    const strange = [...values].find(value => !held.has(value))
    return strange && `a log has ${strange}, which the header's Bloom filter does not contain`
  }
}

function createSettlement(options: DoubtOptions) {
  const { network, readLogs, onUnproven } = options
  const prove = createBlockProver(options)
  const askAnother = askOtherHosts(options)

  /** The block is read too, because some nodes return an empty list without an error for a block that they lack. */
  async function readLogsThere(node: CheckedNode, header: ProvableHeader, signal: AbortSignal) {
    const { number, hash } = header
    const [logs, block] = await Promise.all([readLogs(node, header, signal), needBlock(node, number, signal)])
    if (block.hash !== hash)
      throw new BadReplyError(`Block ${number} of ${node.name} differs from block ${number} of another node`)
    return logs
  }

  return async function settle(
    node: CheckedNode,
    { header, logs, doubt }: ReadBlock,
    signal: AbortSignal,
  ): Promise<RawLog[]> {
    const { number } = header
    const readThere = (other: CheckedNode, limited: AbortSignal) => readLogsThere(other, header, limited)
    const others = logs && (await askAnother(node, readThere, signal))
    if (others && isSame(others, logs)) return logs
    if (header.doubt !== undefined) {
      const readAgain = (other: CheckedNode, limited: AbortSignal) =>
        needProvableHeaders(other, { first: number, last: number }, limited)
      const [again] = (await askAnother(node, readAgain, signal)) ?? (await readAgain(node, signal))
      if (again?.doubt === undefined)
        throw new BadReplyError(`Block ${number}: ${header.doubt} (node ${node.name})`)
    }
    const proof = await prove(node, header, signal)
    if (proof.proof === 'receipts') return proof.logs
    if (proof.proof === 'partial') return [...proof.logs, ...proof.unproven]
    if (proof.proof === 'empty') return []
    const { reason, hasRule } = proof
    if (hasRule) {
      throw new UnprovenBlockError({ network, number, reason: `${reason}, and ${doubt}`, isFinal: false })
    }
    // `logs` is undefined if a rule exists for the block, but not for the type of one of its receipts.
    const known = logs ?? (await readLogs(node, header, signal))
    const again =
      others ?? (await askAnother(node, readThere, signal)) ?? (await readLogs(node, header, signal))
    if (!isSame(again, known))
      throw new BadReplyError(
        `Two replies with the logs of block ${number} differ, and at least one of them came from ${node.name}`,
      )
    onUnproven({ blockNumber: number, reason })
    return known
  }
}

const isSame = (some: readonly RawLog[], others: readonly RawLog[]) => contentOf(some) === contentOf(others)

const contentOf = (logs: readonly RawLog[]) =>
  JSON.stringify(
    logs.map(({ address, topics, data, transactionHash, logIndex }) => [
      ...[address, topics, data],
      ...[transactionHash, logIndex],
    ]),
  )
