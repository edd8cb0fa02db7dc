import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import { NodesUnavailableError } from '../../chain/nodes/rpc-errors.ts'
import type { EventRecord } from '../../events/record.ts'
import { CorruptRowError } from '../../query/errors.ts'
import type { EventTable } from '../../store/event-table.ts'
import { type Contracts, isOneOf, isSameScope, type Scope } from '../../store/format/checkpoint.ts'
import type { Lease } from '../../store/leases/hold-lease.ts'
import { ScopeChangedError } from '../../store/leases/lease-errors.ts'
import { scanEvents } from '../../store/reading/scan-table.ts'
import { spanBehind } from '../../store/writing/delete-events.ts'
import { writeEvents } from '../../store/writing/write-events.ts'
import type { IndexOptions } from './index-options.ts'
import type { IndexSession } from './index-session.ts'
import { placeOfBlock, placeOfCheckpoint } from './log-revision.ts'

interface LeftOut extends EventTable, Pick<IndexSession, 'network' | 'reader' | 'stop' | 'abort'> {
  wanted: Scope
}

/**
 * Stores the scope at a restart or if no block is indexed. Otherwise, throws `ScopeChangedError` if the scope has
 * changed.
 */
export async function agreeOnScope(
  lease: Lease,
  { restart, onNewScope, ...options }: Pick<IndexOptions, 'restart' | 'onNewScope'> & LeftOut,
): Promise<void> {
  const { network, wanted, abort } = options
  const isAgreed = isSameScope(wanted, lease.scope)
  if (restart || (!isAgreed && !lease.checkpoint)) {
    // Only a changed scope needs this step: with the same scope, the new run again stores each event that may lack
    // items.
    if (!isAgreed) {
      onNewScope?.()
      await writeEvents({ ...options, signal: abort }, eventsLeftOut(lease, options))
      options.stop.throwIfAborted()
    }
    return lease.restart(wanted, abort)
  }
  if (!isAgreed) {
    throw new ScopeChangedError({ network, stored: describe(lease.scope), wanted: describe(wanted) })
  }
}

const textOf = (contracts: Contracts) =>
  contracts === 'any' ? 'any contract' : contracts.toSorted().join(', ')

const describe = ({ contracts, fromBlock, erc721 }: Scope) =>
  `from block ${fromBlock} on for ${textOf(contracts)}${erc721 ? ', including ERC-721 transfers' : ''}`

/**
 * A killed run may have stored events above its checkpoint without some of their items. The next run stores these
 * events again, except those outside its own scope, which this function yields. Store these events before the killed
 * run's scope and checkpoint are replaced, because only the scope and the checkpoint show which events may lack items.
 */
async function* eventsLeftOut(
  { scope, checkpoint }: Lease,
  { wanted, network, reader, stop, abort, ...table }: LeftOut,
): AsyncGenerator<EventRecord> {
  // If only the earlier scope has ERC-721 transfers, all of its events are yielded, because a stored event does not
  // show whether it was such a transfer.
  const hasOtherKinds = scope.erc721 && !wanted.erc721
  const hasAllContracts =
    wanted.contracts === 'any' ||
    (scope.contracts !== 'any' && scope.contracts.every(each => isOneOf(wanted.contracts, each)))
  const known = checkpoint ? undefined : await readBlockBefore(scope, { reader, stop })
  const first = known ? placeOfBlock(network, known) : placeOfCheckpoint(network, checkpoint)
  for await (const event of scanEvents(table, network, { span: spanBehind(first), signal: abort })) {
    if (stop.aborted) return
    if (event instanceof CorruptRowError) continue
    if (!hasOtherKinds && hasAllContracts && event.blockNumber >= wanted.fromBlock) return
    if (isIn(scope, event) && (hasOtherKinds || !isIn(wanted, event))) yield event
  }
}

const isIn = ({ contracts, fromBlock }: Scope, { address, blockNumber }: EventRecord) =>
  blockNumber >= fromBlock && isOneOf(contracts, address)

/**
 * Returns the block below the scope's first block. No run with the scope has stored an event of this block or a lower
 * block. Undefined if there is no such block, or if no node has it, perhaps because the scope's first block was
 * mistyped. The search for the scope's events must then start at the beginning.
 */
async function readBlockBefore(
  { fromBlock }: Scope,
  { reader, stop }: Pick<IndexSession, 'reader' | 'stop'>,
): Promise<BlockHeader | undefined> {
  if (fromBlock === 0) return undefined
  try {
    return await reader.readHeader(fromBlock - 1, stop)
  } catch (error) {
    if (stop.aborted || !(error instanceof NodesUnavailableError)) throw error
    return undefined
  }
}
