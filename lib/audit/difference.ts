import * as z from 'zod/mini'
import type { Network } from '../events/networks.ts'
import { compareByTime } from '../events/place.ts'
import { addressSchema, countSchema } from '../events/record-fields.ts'

/** How a served event differs from the chain, or how a stored item differs from what its event requires. */
export const differenceSchema = z.object({
  kind: z.enum(['missing', 'extra', 'different']),
  /** The event's id, or the row's key if the row is unreadable and the chain has no event at its place. */
  id: z.string(),
  place: z.string(),
  /** The block number in the event's place, even if the event belongs to no block on the chain. */
  blockNumber: countSchema,
  /**
   * The audited block from which a repair starts: the event's own block if the event is on the chain, and otherwise an
   * audited block near the event's place. All places of block `fromBlock - 1` are lower than the event's place.
   */
  fromBlock: countSchema,
  /** The event's contract. Undefined if a row is unreadable and the chain has no event at its place. */
  address: z.optional(addressSchema),
  /** The list in which the difference was found. Undefined for `all`, the list of all events of a network. */
  list: z.optional(z.string()),
  /** Whether the chain's event is an ERC-721 transfer, which indexers store only if they are configured to do so. */
  isErc721: z.optional(z.boolean()),
})

export type Difference = z.infer<typeof differenceSchema>

/** Infinity if there are no differences. */
export const lowestBlockOf = (differences: readonly Difference[]): number =>
  differences.reduce((least, { fromBlock }) => Math.min(least, fromBlock), Number.POSITIVE_INFINITY)

export const blocksWith = (differences: readonly Difference[]): number[] =>
  [...new Set(differences.map(({ fromBlock }) => fromBlock))].sort((a, b) => a - b)

/** The default limit. Each difference takes about 300 bytes, both in memory and in the stored progress. */
const MOST_DIFFERENCES = 100_000

export function checkCount(
  { length }: readonly Difference[],
  {
    network,
    mostDifferences: most = MOST_DIFFERENCES,
  }: { network: Network; mostDifferences?: number | undefined },
): void {
  if (length > most)
    throw new Error(
      `${network}: the audit stopped because it found more than ${most} differences. Check whether the table, the contracts and the first block are the right ones. If events of many blocks are missing, index these blocks again`,
    )
}

export type DifferentIds = Record<Difference['kind'], string[]>

/** An event that is missing from its correct place but stored in a wrong place counts as different. */
export function idsOf(differences: readonly Difference[]): DifferentIds {
  const inOrder = differences.toSorted((a, b) => compareByTime(a.place, b.place))
  const of = (kind: Difference['kind']) =>
    new Set(inOrder.filter(each => each.kind === kind).map(({ id }) => id))
  const [missing, extra] = [of('missing'), of('extra')]
  const moved = [...missing].filter(id => extra.has(id))
  const different = new Set([...of('different'), ...moved])
  const others = (ids: Set<string>) => [...ids].filter(id => !different.has(id))
  return { missing: others(missing), extra: others(extra), different: [...different] }
}
