import type { FinalBlocks } from '../query/cursor.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'
import type { RequestCost } from '../query/request-cost.ts'

/**
 * Values look like `base=34160634@2025-08-13T10:20:15Z`. A header without networks is omitted. `X-Finalized-Through`
 * omits a network whose final block is lower than on the previous page (`finalBefore`), because this page then has
 * events up to the previous page's final block, whose time is unknown.
 */
export function networkHeaders(
  networks: readonly IndexedThrough[],
  { isFinality, finalBefore = {} }: { isFinality: boolean; finalBefore?: FinalBlocks },
): Record<string, string> {
  const blocks: Record<string, NetworkBlock[]> = {
    'X-Indexed-Through': [...networks],
    'X-Audited-Through': networks.flatMap(({ network, auditedThrough }) =>
      auditedThrough ? { network, ...auditedThrough } : [],
    ),
    ...(isFinality && {
      'X-Finalized-Through': networks
        .flatMap(finalizedBlocks)
        .filter(({ network, blockNumber }) => blockNumber >= (finalBefore[network] ?? 0)),
    }),
  }
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([name, each]) => (each.length > 0 ? [[name, listOf(each)]] : [])),
  )
}

type NetworkBlock = Pick<IndexedThrough, 'network' | 'blockNumber' | 'timestamp'>

const finalizedBlocks = ({ network, finalizedBlock, finalizedTimestamp }: IndexedThrough): NetworkBlock[] =>
  finalizedBlock === undefined || finalizedTimestamp === undefined
    ? []
    : [{ network, blockNumber: finalizedBlock, timestamp: finalizedTimestamp }]

const listOf = (blocks: readonly NetworkBlock[]): string =>
  blocks
    .toSorted((a, b) => (a.network < b.network ? -1 : 1))
    .map(({ network, blockNumber, timestamp }) => {
      const time = new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z')
      return `${network}=${blockNumber}@${time}`
    })
    .join(', ')

/** The value of `Server-Timing` (https://www.w3.org/TR/server-timing/). */
export function serverTiming(
  { calls, roundTrips, rowsExamined, readUnits, bytes }: RequestCost,
  durationMs: number,
): string {
  const cost = `${calls} calls, ${roundTrips} round trips, ${rowsExamined} rows, ${readUnits} read units, ${bytes} bytes`
  return `total;dur=${durationMs.toFixed(1)}, store;desc="${cost}"`
}

/** Lists the parameters whose values cannot occur in any event (see `query/normalise-filters`). */
export const unmatchableHeader = ({ unmatchable }: { unmatchable: readonly string[] | undefined }) =>
  unmatchable && { 'X-Unmatchable': unmatchable.join(', ') }
