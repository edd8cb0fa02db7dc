import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { Confirmations } from '../../chain/nodes/finality.ts'
import type { ReaderOptions } from '../../chain/nodes/read-chain.ts'
import type { ProofLevel } from '../../chain/nodes/read-proven-logs.ts'
import type { Network } from '../../events/networks.ts'
import type { EventTable } from '../../store/event-table.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import type { LeaseOptions } from '../../store/leases/acquire-lease.ts'
import type { IndexCounts, Reorganisation } from './index-session.ts'

export interface IndexOptions
  extends ReaderOptions,
    Omit<EventTable, 'client'>,
    Pick<LeaseOptions, 'leaseMs' | 'clock' | 'onWait' | 'onRenewal'> {
  /**
   * Creates a client for the table. Its requests must time out within half of `leaseMs`, so that no request outlasts
   * the lease.
   */
  createClient: () => Promise<DynamoDBClient>
  /** The first block to index. By default, `findStart` finds this block. */
  fromBlock?: number | undefined
  /** An alternative to `fromBlock`, in Unix seconds. Indexing begins with the first block at or after this time. */
  fromTime?: number | undefined
  /** The last block to index. By default, there is no last block. */
  toBlock?: number | undefined
  confirmations?: Confirmations | undefined
  /** One of the levels that `PROOF_LEVELS` explains, by default `doubt`. */
  proof?: ProofLevel | undefined
  /** Whether to wait for new blocks at the head, instead of ending at the head. */
  follow?: boolean | undefined
  /** Whether to index again from the first block, possibly for other contracts. Stored events are kept. */
  restart?: boolean | undefined
  /** The block to return to before indexing, even if higher blocks count as final. See `goBack`. */
  backTo?: number | undefined
  /** The number of days for which the log of revisions keeps an entry after a newer entry is appended. */
  changesKeptDays?: number | undefined
  pollMs?: number | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
  /** When aborted, the run finishes its current work and ends. */
  signal: AbortSignal
  /** When aborted, the run ends immediately, like a killed process: stored data stays intact, but work is lost. */
  abort?: AbortSignal | undefined
  /**
   * Called when the run holds the lease, and is about to store again those events of an earlier scope that may lack
   * items, which can take a while.
   */
  onNewScope?: (() => void) | undefined
  /** Called once, when the first block to index is known and this run holds the lease. */
  onStart?: ((start: IndexStart) => void) | undefined
  /** Called after a reorganisation, as soon as the table matches the chain again. */
  onReorganised?: ((reorganisation: Reorganisation) => void) | undefined
  /** Called if the run cannot index this block for a while, because the nodes contradict their earlier replies. */
  onStalled?: ((blockNumber: number) => void) | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
}

export type IndexStart =
  | { fromBlock: number; because: 'given' | 'remembered' | 'genesis' }
  | { fromBlock: number; because: 'time'; found: BlockHeader }
  | { fromBlock: number; because: 'creation'; contract: string; createdIn: number }

export interface IndexProgress extends IndexCounts {
  network: Network
  checkpoint: Checkpoint | undefined
  head: number
  /** In Unix seconds. */
  headTimestamp: number
  /** The first block of this run. `target` is the last block that can be indexed now. */
  first: number
  target: number
  /** How far the target stays below the head. */
  confirmations: Confirmations
}
