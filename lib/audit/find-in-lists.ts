import type { BlockRange } from '../chain/nodes/get-block.ts'
import { blockSpan, type Place } from '../events/place.ts'
import type { EventTable } from '../store/event-table.ts'
import type { BlocksToAudit } from './audit-blocks.ts'
import type { AuditedBlock, AuditProgress } from './audit-progress.ts'
import type { Difference } from './difference.ts'
import { scanLists } from './scan-lists.ts'

export interface ListSearch extends BlocksToAudit {
  /** Undefined if a service is audited. */
  table?: EventTable | undefined
  onScanned?: ((items: number) => void) | undefined
  /** The maximum number of differences, by default 100,000. If there are more, the audit throws. */
  mostDifferences?: number | undefined
}

/**
 * Scans for differences in lists other than `all`. Returns no differences for a service, or if the audit looks up items
 * instead of scanning lists.
 */
export async function findInLists(
  { plan, first, last, differences }: AuditProgress,
  search: ListSearch,
): Promise<Difference[]> {
  const { table, network, contracts, onScanned: onProgress, mostDifferences, signal } = search
  if (!table || !first || !last || plan.lists !== 'scan') return []
  const spanOf = ({ number: blockNumber, timestamp: seconds }: AuditedBlock) =>
    blockSpan({ blockNumber, seconds, network })
  const span = { first: spanOf(first).first, last: spanOf(last).last }
  const scan = { ...table, network, span, contracts, known: differences, onProgress, mostDifferences, signal }
  const range = { first: first.number, last: last.number }
  const found: Difference[] = []
  for (const difference of await scanLists(scan)) {
    const { kind, place } = difference
    const fromBlock =
      kind === 'extra' ? await findBlock(place, { ...search, ...range }) : difference.fromBlock
    found.push({ ...difference, fromBlock })
  }
  return found
}

/**
 * Returns the range's first block that ends at or after `place`, or the range's last block if there is no such block.
 * Searches the blocks' headers, because the block number in a false event's place may be wrong.
 */
async function findBlock(
  place: Place,
  { first, last, network, reader, signal }: BlockRange & ListSearch,
): Promise<number> {
  let [low, high] = [first, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { timestamp: seconds } = await reader.readHeader(middle, signal)
    if (blockSpan({ blockNumber: middle, seconds, network }).last < place) low = middle + 1
    else high = middle
  }
  return low
}
