import { decodersOf } from '../chain/logs/event-decoders.ts'
import type { ProvableHeader } from '../chain/nodes/block-header.ts'
import type { ExpectedChain } from '../chain/nodes/check-chain.ts'
import { finalBlockOf } from '../chain/nodes/finality.ts'
import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { createProofReader } from '../chain/nodes/proof-reader.ts'
import { createChainReader } from '../chain/nodes/read-chain.ts'
import type { Network } from '../events/networks.ts'
import type { EventTable } from '../store/event-table.ts'
import { type IndexState, lastFinalOf } from '../store/format/checkpoint.ts'
import { type AuditedBlocks, auditBlocks, ChainChangedError } from './audit-blocks.ts'
import type { AuditedSince } from './changed-since.ts'
import { type DifferentIds, idsOf, lowestBlockOf } from './difference.ts'
import { lookUpItems } from './look-up-items.ts'
import { lowerBelow, lowerClaim } from './lower-claim.ts'
import { moveAuditedBlock, readAuditedSince } from './move-audited-block.ts'
import { doubtsOfNodes } from './nodes-agree.ts'
import { readTable } from './served-events.ts'

export interface AuditNetworkOptions extends ExpectedChain, EventTable {
  nodes: NodeGroup
  /** When aborted, the audit ends after the current group of blocks. */
  stop: AbortSignal
  /** When aborted, the audit ends immediately. */
  abort: AbortSignal
}

export interface NetworkAudit {
  network: Network
  /** The first block to audit in this run, and the last block that is both final and indexed. */
  first: number
  last: number
  /** The network's last audited block. Undefined if no block is audited yet. */
  auditedThrough: number | undefined
  blocks: number
  events: number
  /** The differences in the block at which the audit stopped. Undefined if no difference was found. */
  difference: ({ blockNumber: number } & DifferentIds) | undefined
  /** The lowest block in which an audit has found a difference, unless this run has proven the block equal. */
  differentBlock: number | undefined
}

class AuditStoppedError extends Error {
  override readonly name = 'AuditStoppedError'
  readonly code = 'audit-stopped'

  constructor({ network, blockNumber, reason }: { network: Network; blockNumber: number; reason: string }) {
    super(`${network}: the audit cannot continue past block ${blockNumber}, which is not proven: ${reason}`)
  }
}

/**
 * Continues a network's audit with the block above the last audited block, and stores the new last audited block after
 * each group of blocks. Ends early if `stop` is aborted, or at the first block with a difference. Throws
 * `AuditStoppedError` at the first unproven block, or if a node does not confirm the last block of a group. Throws
 * `ChainChangedError` if the last audited block is not on the nodes' chain, and `NodesUnavailableError` if no node has
 * a block with the checkpoint's number. Resolves with undefined if no block of the network is indexed, and no
 * difference is recorded.
 */
export async function auditNetwork(options: AuditNetworkOptions): Promise<NetworkAudit | undefined> {
  const { network, nodes, chainId, client, tableName, networks, stop, abort } = options
  const table = { client, tableName, networks }
  const { since, state } = await readAuditedSince({ ...table, network, signal: abort })
  if (!state) return undefined
  const { auditedBlock, scope, checkpoint, differentBlock } = state
  if (!checkpoint && differentBlock === undefined) return undefined
  const ended = new AbortController()
  const signal = AbortSignal.any([abort, ended.signal])
  const chain = { ...scope, network, chainId, nodes }
  const reader = createProofReader(chain)
  if (auditedBlock && differentBlock !== undefined && differentBlock <= auditedBlock.blockNumber) {
    const isLowered = await lowerBelow(differentBlock, { ...table, network, reader, signal })
    if (!isLowered) throw new ChainChangedError({ network, blockNumber: auditedBlock.blockNumber + 1 })
    return auditNetwork(options)
  }
  const final = finalBlockOf(network, await createChainReader(chain).readHeads(signal))
  const first = auditedBlock ? auditedBlock.blockNumber + 1 : scope.fromBlock
  const last = Math.min(final, lastFinalOf(checkpoint))
  const audit: NetworkAudit = {
    ...{ network, first, last, auditedThrough: auditedBlock?.blockNumber },
    ...{ blocks: 0, events: 0, difference: undefined, differentBlock },
  }
  if (first > last) return audit
  const parent = auditedBlock && {
    number: auditedBlock.blockNumber,
    hash: auditedBlock.blockHash,
    timestamp: auditedBlock.timestamp,
  }
  const toAudit = {
    ...{ network, reader, signal, parent, contracts: scope.contracts },
    decoders: decodersOf(scope),
    served: readTable(table, network),
  }
  try {
    for await (const group of auditBlocks({ first, last }, toAudit)) {
      await confirmLast(group, { network, nodes, signal })
      const found = await lookUpItems(group.equal, { ...table, signal })
      const differences = [...group.differences, ...found]
      const known = await lowerClaim(differences, { ...table, network, reader, signal, since })
      await takeGroup({ ...group, differences }, { ...options, audit, state, since: known, signal })
      if (audit.difference || stop.aborted) break
    }
  } finally {
    // Cancels the requests for blocks that are being read ahead.
    ended.abort()
  }
  return audit
}

/** Called before a difference is recorded, because a node of another chain would otherwise cause a false alarm. */
async function confirmLast(
  { blocks }: AuditedBlocks,
  { network, ...asking }: Pick<Taking, 'network' | 'nodes' | 'signal'>,
): Promise<void> {
  const last = blocks.at(-1)?.header
  if (!last) return
  const [reason] = await doubtsOfNodes(last, asking)
  if (reason !== undefined) throw new AuditStoppedError({ network, blockNumber: last.number, reason })
}

interface Taking extends AuditNetworkOptions {
  audit: NetworkAudit
  state: IndexState
  since: AuditedSince
  signal: AbortSignal
}

async function takeGroup({ blocks, expected, differences }: AuditedBlocks, taking: Taking): Promise<void> {
  const { audit, network } = taking
  const differing = lowestBlockOf(differences)
  const unproven = blocks.find(({ proof }) => 'reason' in proof)
  const end = Math.min(differing, unproven?.header.number ?? Number.POSITIVE_INFINITY)
  const good = blocks.filter(({ header }) => header.number < end)
  const last = good.at(-1)?.header
  if (last) await moveTo(last, taking)
  audit.blocks += good.length
  audit.events += expected.filter(({ blockNumber }) => blockNumber < end).length
  if (unproven && unproven.header.number < differing && 'reason' in unproven.proof) {
    const { header, proof } = unproven
    throw new AuditStoppedError({ network, blockNumber: header.number, reason: proof.reason })
  }
  if (differing === Number.POSITIVE_INFINITY) return
  const ofBlock = differences.filter(({ fromBlock }) => fromBlock === differing)
  audit.differentBlock = Math.min(differing, audit.differentBlock ?? differing)
  audit.difference = { blockNumber: differing, ...idsOf(ofBlock) }
}

async function moveTo(header: ProvableHeader, taking: Taking): Promise<void> {
  const { audit, network, client, tableName, state, since, nodes, signal } = taking
  const { number: blockNumber, hash: blockHash, timestamp } = header
  const { scope } = state
  const move = { client, tableName, network, scope, firstBlock: audit.first, since, nodes, signal }
  // If the move fails, for example because the indexer has moved its checkpoint back, the next run reads the new state.
  if ((await moveAuditedBlock({ blockNumber, blockHash, timestamp }, move)) !== 'moved') return
  audit.auditedThrough = blockNumber
  if ((audit.differentBlock ?? 0) <= blockNumber) audit.differentBlock = undefined
}
