import type { Network } from '../events/networks.ts'
import { compareByTime, type Place } from '../events/place.ts'

/** How a served event differs from the chain, or how a stored item differs from the item that its event requires. */
type DifferenceKind = 'missing' | 'extra' | 'different'

export interface Difference {
  kind: DifferenceKind
  /** The id of the event. For an unreadable row where the chain has no event, the key of the row. */
  id: string
  place: Place
  /** The block number that the event states, even if this block is not on the chain. */
  blockNumber: number
  /**
   * The audited block from which a repair starts. This is the event's own block, if that block is on the chain.
   * Otherwise it is an audited block near the event's place. All places of the block below `fromBlock` are lower than
   * the event's place.
   */
  fromBlock: number
  /** The contract of the event. Undefined for an unreadable row. */
  address?: string | undefined
  /** Whether the chain's event is a transfer of ERC-721, which many indexers leave out. */
  isErc721?: boolean
  /** The list in which the difference was found. Undefined for `all`, the list of all events of a network. */
  list?: string | undefined
}

/** The lowest block from which the repair of a difference starts. Infinity if there are no differences. */
export const lowestBlockOf = (differences: readonly Difference[]): number =>
  differences.reduce((least, { fromBlock }) => Math.min(least, fromBlock), Number.POSITIVE_INFINITY)

/** The distinct blocks from which the repairs start, in ascending order. */
export const blocksWith = (differences: readonly Difference[]): number[] =>
  [...new Set(differences.map(({ fromBlock }) => fromBlock))].sort((a, b) => a - b)

/** The limit if none is given. A difference needs some 300 bytes of memory, and as many in the stored progress. */
const MOST_DIFFERENCES = 100_000

/** An audit found more differences than it keeps. */
class TooManyDifferencesError extends Error {
  override readonly name = 'TooManyDifferencesError'
  readonly code = 'too-many-differences'

  constructor({ network, most }: { network: Network; most: number }) {
    super(
      `${network}: the audit stopped because it found more than ${most} differences. Check the table, the contracts and the first block. If events of many blocks are missing, index these blocks again`,
    )
  }
}

/** Throws `TooManyDifferencesError` if there are more than `mostDifferences` differences. */
export function checkCount(
  { length }: readonly Difference[],
  {
    network,
    mostDifferences: most = MOST_DIFFERENCES,
  }: { network: Network; mostDifferences?: number | undefined },
): void {
  if (length > most) throw new TooManyDifferencesError({ network, most })
}

/** The ids of the differences of each kind, in the order of their places. */
export type DifferentIds = Record<DifferenceKind, string[]>

/**
 * Returns the ids of the differences of each kind. An event that is missing at its own place and stored at a wrong
 * place counts as different.
 */
export function idsOf(differences: readonly Difference[]): DifferentIds {
  const inOrder = differences.toSorted((a, b) => compareByTime(a.place, b.place))
  const of = (kind: DifferenceKind) => new Set(inOrder.filter(each => each.kind === kind).map(({ id }) => id))
  const [missing, extra] = [of('missing'), of('extra')]
  const moved = [...missing].filter(id => extra.has(id))
  const different = new Set([...of('different'), ...moved])
  const others = (ids: Set<string>) => [...ids].filter(id => !different.has(id))
  return { missing: others(missing), extra: others(extra), different: [...different] }
}
