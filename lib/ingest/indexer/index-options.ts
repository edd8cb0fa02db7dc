import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Network } from '../../events/networks.ts'
import type { LeaseHolder } from '../../store/acquire-lease.ts'
import type { Checkpoint, Contracts } from '../../store/checkpoint.ts'
import type { Clock } from '../../store/clock.ts'
import type { ExpectedChain } from '../chain/check-chain.ts'
import type { NodeGroup } from '../chain/node-group.ts'
import type { FurtherEvents } from '../event-decoders.ts'
import type { Confirmations } from './finality.ts'
import type { IndexStart } from './find-start.ts'
import type { IndexCounts, Reorganisation } from './index-session.ts'

/** What to index, from where, and into which table. */
export interface IndexOptions extends ExpectedChain, FurtherEvents {
  nodes: NodeGroup
  /** Makes a client of the table; its requests must give up well within half a lease. */
  createClient: () => Promise<DynamoDBClient>
  tableName: string
  contracts: Contracts
  /** The first block. By default what the table has begun with, or else what `findStart` finds. */
  fromBlock?: number | undefined
  /** In its place: a time in Unix seconds. The first block is the first one that is not earlier. */
  fromTime?: number | undefined
  /** The last block; by default there is none. */
  toBlock?: number | undefined
  confirmations?: Confirmations | undefined
  /** Wait for new blocks at the head, rather than end there. */
  follow?: boolean | undefined
  /** Begin again at `fromBlock`, and for other contracts. What is stored stays. */
  restart?: boolean | undefined
  /** How long the log of rewinds, and so cursors of the feed of changes, are kept. */
  changesKeptDays?: number | undefined
  pollMs?: number | undefined
  leaseMs?: number | undefined
  clock?: Clock | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
  /** Ends the run soon and without harm. */
  signal: AbortSignal
  /** Ends the run at once, as if the process were killed: without harm either, but some work is lost. */
  abort?: AbortSignal | undefined
  /** Called once where another indexer may still be at work, before a sign of its life is waited for. */
  onWait?: ((holder: LeaseHolder) => void) | undefined
  /** Called each time the table has taken the sign of life of this run, or with the failure where it did not. */
  onRenewal?: ((failure?: unknown) => void) | undefined
  /** Called once, when it is known where indexing has begun or begins. */
  onStart?: ((start: IndexStart) => void) | undefined
  /** Called once the table is on the chain again. */
  onReorganised?: ((reorganisation: Reorganisation) => void) | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
}

/** How far a run has come, and what it has done so far. */
export interface IndexProgress extends IndexCounts {
  network: Network
  /** Undefined until the first block is stored. */
  checkpoint: Checkpoint | undefined
  head: number
  /** The head's time, in Unix seconds. */
  headTimestamp: number
  /** The first block of this run, and the last one for now. */
  first: number
  target: number
  /** How far behind the head indexing stays. */
  confirmations: Confirmations
}
