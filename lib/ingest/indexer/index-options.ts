import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { FurtherEvents } from '../../chain/logs/event-decoders.ts'
import type { ExpectedChain } from '../../chain/nodes/check-chain.ts'
import type { Confirmations } from '../../chain/nodes/finality.ts'
import type { NodeGroup } from '../../chain/nodes/node-group.ts'
import type { ProofLevel, UnprovenLogs } from '../../chain/nodes/read-proven-logs.ts'
import type { Network } from '../../events/networks.ts'
import type { Clock } from '../../store/clock.ts'
import type { EventTable } from '../../store/event-table.ts'
import type { Checkpoint, Contracts } from '../../store/format/checkpoint.ts'
import type { LeaseHolder } from '../../store/leases/acquire-lease.ts'
import type { IndexStart } from './find-start.ts'
import type { IndexCounts, Reorganisation } from './index-session.ts'

export interface IndexOptions extends ExpectedChain, FurtherEvents, Omit<EventTable, 'client'> {
  nodes: NodeGroup
  /** The client's requests must time out well before half of the lease has passed. */
  createClient: () => Promise<DynamoDBClient>
  contracts: Contracts
  /** The first block to index. `findStart` finds the default. */
  fromBlock?: number | undefined
  /** An alternative to `fromBlock`, in Unix seconds. Indexing begins with the first block at or after this time. */
  fromTime?: number | undefined
  /** By default, there is no limit. */
  toBlock?: number | undefined
  confirmations?: Confirmations | undefined
  /** See `PROOF_LEVELS`. The default is `doubt`. */
  proof?: ProofLevel | undefined
  /** Whether to wait for new blocks at the head, instead of ending at the head. */
  follow?: boolean | undefined
  /** Whether to index again from the first block, possibly for other contracts. Stored events are kept. */
  restart?: boolean | undefined
  /** The block to return to before indexing, even if higher blocks count as final. See `goBack`. */
  backTo?: number | undefined
  /** Entries of the log of revisions and cursors of the feed of changes expire after this many days. */
  changesKeptDays?: number | undefined
  pollMs?: number | undefined
  leaseMs?: number | undefined
  clock?: Clock | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
  /** When aborted, the run finishes its current work and ends. */
  signal: AbortSignal
  /** When aborted, the run ends immediately, like a killed process: stored data stays intact, but work is lost. */
  abort?: AbortSignal | undefined
  /** Called at most once, before the run waits to see whether another indexer still sends heartbeats. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
  /** Called after each heartbeat of this run, with the error if the heartbeat could not be stored. */
  onRenewal?: ((failure?: unknown) => void) | undefined
  /** Called once, when the first block to index is known and this run holds the lease. */
  onStart?: ((start: IndexStart) => void) | undefined
  /** Called after a reorganisation, as soon as the table matches the chain again. */
  onReorganised?: ((reorganisation: Reorganisation) => void) | undefined
  /** Called once for each reason why logs were indexed without the required proof. */
  onUnproven?: ((unproven: UnprovenLogs) => void) | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
}

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
