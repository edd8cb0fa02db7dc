import { beforeDeadline } from '../before-deadline.ts'
import { InvalidQueryError, NotIndexedYetError } from '../errors.ts'
import type { EventStore } from '../event-store.ts'
import type { Checkpoints } from '../indexed-through.ts'
import { countCosts, noCost, type RequestCost } from '../request-cost.ts'
import type { MinBlocks } from './min-block.ts'

export interface KnownCheckpoints extends Checkpoints {
  cost: RequestCost
}

/**
 * Reads the checkpoints, or returns undefined without `minBlock`. Does not use cached checkpoints, because a
 * reorganisation may have removed blocks since an earlier read. Throws `StoreUnavailableError`. If a network in
 * `minBlock` has no indexer, throws `InvalidQueryError`.
 */
export async function readCheckpoints(
  minBlocks: MinBlocks,
  { store, timeLeftMs = () => Number.POSITIVE_INFINITY }: { store: EventStore; timeLeftMs?: () => number },
): Promise<KnownCheckpoints | undefined> {
  if (minBlocks.size === 0) return undefined
  const cost = noCost()
  const { written, indexed } = await beforeDeadline(timeLeftMs(), abortSignal =>
    countCosts(store, { cost, abortSignal }).readCheckpoints(),
  )
  const unknown = [...minBlocks.keys()].filter(network => !written.has(network))
  if (unknown.length > 0) {
    throw new InvalidQueryError(
      unknown.map(network => ({
        parameter: 'minBlock',
        message: `contains ${network}, which has no indexer, so it is unknown how far ${network} is indexed: remove ${network}`,
      })),
    )
  }
  return { written, indexed, cost }
}

/** Throws `NotIndexedYetError`. */
export function requireIndexed(minBlocks: MinBlocks, { indexed }: Checkpoints): void {
  const behind = [...minBlocks].flatMap(([network, minBlock]) => {
    const indexedBlock = indexed.find(each => each.network === network)?.blockNumber
    return indexedBlock !== undefined && indexedBlock >= minBlock ? [] : { network, minBlock, indexedBlock }
  })
  if (behind.length > 0) throw new NotIndexedYetError(behind)
}
