import type { Hex } from 'viem'
import type { Network } from '../../events/networks.ts'
import { type Contracts, isOneOf } from '../../store/format/checkpoint.ts'
import { parseRawLog, type RawLog } from '../logs/raw-log.ts'
import { type BlockRule, ruleOf } from '../proof/chain-rules.ts'
import { type ProvenLog, proveLogs } from '../proof/prove-logs.ts'
import type { ProvableHeader } from './block-header.ts'
import { createBloomSieve } from './logs-bloom.ts'
import type { CheckedNode } from './nodes-of-chain.ts'
import { BadReplyError, isRefusal, mayBeTooMuch } from './rpc-errors.ts'

/** Logs are in chain order. */
export type BlockProof =
  /** The block has no requested logs: its Bloom filter excludes all topics, or all contracts. */
  | { proof: 'empty' }
  /** The receipts' root equals the root in the header, so `logs` contains every requested log of the block. */
  | { proof: 'receipts'; logs: RawLog[] }
  /** `unproven` contains further logs that the node reported, but to which the header does not commit. */
  | { proof: 'partial'; logs: RawLog[]; unproven: RawLog[]; reason: string }
  /** No rule exists for the block, or the reply of the node named in `reason` does not fit the rule. */
  | { proof: 'none'; reason: string; hasRule: boolean }

export interface WantedLogs {
  network: Network
  topics: readonly Hex[]
  contracts: Contracts
}

const STATE_SYNC =
  'Before the Madhugiri upgrade, polygon blocks do not commit to the logs of state-sync transactions'

/** Throws if the node does not answer or has no receipts, so a failed request never looks like an empty block. */
export function createBlockProver(wanted: WantedLogs) {
  const mayHoldLogs = createLogsTest(wanted)
  return async (node: CheckedNode, header: ProvableHeader, signal: AbortSignal): Promise<BlockProof> => {
    const known = findRule(node, header)
    if ('reason' in known) return { proof: 'none', reason: known.reason, hasRule: false }
    const { rule } = known
    if (!rule.mayHaveStateSync && !mayHoldLogs(header)) return { proof: 'empty' }
    const proven = proveLogs(await readReceipts(node, header, signal), { block: header, rule })
    if ('reason' in proven)
      return { ...proven, proof: 'none', reason: `${proven.reason} (node ${node.name})` }
    const logs = pickLogs(proven.logs, { header, wanted })
    if (!rule.mayHaveStateSync) return { proof: 'receipts', logs }
    const unproven = pickLogs(proven.stateSyncLogs, { header, wanted })
    return { proof: 'partial', logs, unproven, reason: STATE_SYNC }
  }
}

export function findRule(
  { chainId }: CheckedNode,
  { number, doubt }: ProvableHeader,
): { rule: BlockRule } | { reason: string } {
  return doubt === undefined ? ruleOf({ chainId, number }) : { reason: doubt }
}

/** Tests whether a block may have logs of these contracts and topics, according to its Bloom filter. */
export function createLogsTest({ topics, contracts }: Omit<WantedLogs, 'network'>) {
  const topicsIn = createBloomSieve(topics)
  const contractsIn = contracts === 'any' ? undefined : createBloomSieve(contracts)
  return ({ logsBloom }: { logsBloom: string }): boolean =>
    topicsIn(logsBloom).length > 0 && (!contractsIn || contractsIn(logsBloom).length > 0)
}

/** Reads receipts one by one if the node lacks or refuses `eth_getBlockReceipts`. Throws if a receipt is missing. */
async function readReceipts(node: CheckedNode, block: ProvableHeader, signal: AbortSignal): Promise<unknown> {
  try {
    const reply = await node.request('eth_getBlockReceipts', [block.hash], signal)
    if (reply !== null && reply !== undefined) return reply
  } catch (error) {
    if (signal.aborted || !(isRefusal(error) || mayBeTooMuch(error))) throw error
  }
  return Promise.all(
    block.transactionHashes.map(async hash => {
      const receipt = await node.request('eth_getTransactionReceipt', [hash], signal)
      if (receipt !== null && receipt !== undefined) return receipt
      throw new BadReplyError(`The node has no receipt for a transaction in block ${block.number}`)
    }),
  )
}

function pickLogs(
  logs: readonly ProvenLog[],
  { header, wanted }: { header: ProvableHeader; wanted: WantedLogs },
): RawLog[] {
  const { network, topics, contracts } = wanted
  const isWanted = (log: ProvenLog) =>
    topics.includes(log.topics[0]?.toLowerCase() as Hex) && isOneOf(contracts, log.address.toLowerCase())
  return logs.filter(isWanted).map(log => {
    const parsed = parseRawLog({
      ...log,
      network,
      blockNumber: header.number,
      blockHash: header.hash,
      blockTimestamp: header.timestamp,
    })
    if ('log' in parsed) return parsed.log
    throw new BadReplyError(`The node returned an invalid log: ${parsed.rejection.reason}`)
  })
}
