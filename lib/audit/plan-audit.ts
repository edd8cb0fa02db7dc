import { randomInt } from 'node:crypto'
import { finalBlockOf } from '../chain/nodes/finality.ts'
import type { Heads } from '../chain/nodes/read-chain.ts'
import type { Network } from '../events/networks.ts'
import type { IndexState, Scope } from '../store/format/checkpoint.ts'
import type { AuditPlan } from './audit-progress.ts'

/** The requested audit. Undefined values are derived from the chain, and from the table or service. */
export interface WantedAudit {
  network: Network
  source: string
  contracts?: readonly string[] | undefined
  erc721?: boolean | undefined
  fromBlock?: number | undefined
  toBlock?: number | undefined
  /** By default `scan`. A sample's items are always looked up. */
  lists?: AuditPlan['lists'] | undefined
  /** The number of blocks to draw at random from the range. */
  sample?: number | undefined
}

export interface KnownEnds {
  heads: Heads
  /** The indexer's state in the table. Undefined for a service, or if no indexer has written to the table. */
  state?: IndexState | undefined
  /** The last block that a service has indexed. Undefined if the service does not report it. */
  indexedBlock?: number | undefined
}

class NothingToAuditError extends Error {
  override readonly name = 'NothingToAuditError'
  readonly code = 'nothing-to-audit'
}

/** By default, audits all indexed final blocks. Throws `NothingToAuditError` if the range is empty or past the head. */
export function planAudit(wanted: WantedAudit, { heads, state, indexedBlock }: KnownEnds): AuditPlan {
  const { network, source, lists = 'scan' } = wanted
  const { head } = heads
  const scope = scopeOf(wanted, state)
  const finalBlock = finalBlockOf(network, heads)
  const indexed = state ? (state.checkpoint?.blockNumber ?? -1) : (indexedBlock ?? Number.POSITIVE_INFINITY)
  const { fromBlock } = scope
  const toBlock = wanted.toBlock ?? Math.min(finalBlock, indexed)
  if (toBlock > head.number) {
    throw new NothingToAuditError(`Block ${toBlock} does not exist yet: choose a block up to ${head.number}`)
  }
  if (toBlock < fromBlock) {
    const lastIndexed =
      indexed < 0 ? ', and no block is indexed yet' : `, and the last indexed block is ${indexed}`
    const last = `the newest final block is ${finalBlock}${Number.isFinite(indexed) ? lastIndexed : ''}`
    throw new NothingToAuditError(
      `No block from ${fromBlock} on can be audited: ${last}. Choose other blocks with --from-block and --to-block`,
    )
  }
  const sample = wanted.sample === undefined ? undefined : sampleOf({ fromBlock, toBlock }, wanted.sample)
  // The audited block must be final in the table, too. The table's final block stays the same while no indexer runs.
  const storedFinal = state?.checkpoint ? (state.checkpoint.finalizedBlock ?? -1) : finalBlock
  const known = { network, source, ...scope, toBlock, finalBlock: Math.min(finalBlock, storedFinal) }
  return sample ? { ...known, lists: 'look-up', sample } : { ...known, lists }
}

function scopeOf({ contracts, erc721, fromBlock }: WantedAudit, state: IndexState | undefined) {
  const known: Scope = state?.scope ?? { contracts: 'any', fromBlock: 0 }
  return {
    contracts: contracts ? [...contracts] : known.contracts,
    erc721: erc721 || (known.erc721 ?? false),
    fromBlock: fromBlock ?? known.fromBlock,
  }
}

function sampleOf({ fromBlock, toBlock }: Pick<AuditPlan, 'fromBlock' | 'toBlock'>, count: number): number[] {
  const size = toBlock - fromBlock + 1
  if (count >= size) return Array.from({ length: size }, (_, index) => fromBlock + index)
  const picked = new Set<number>()
  while (picked.size < count) picked.add(fromBlock + randomInt(size))
  return [...picked].sort((a, b) => a - b)
}
