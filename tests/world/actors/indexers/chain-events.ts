import type { EventRecord } from '../../../../lib/events/record.ts'
import { recentBlocksList } from '../../../../lib/store/writing/recent-blocks.ts'
import type { CheckpointItem } from '../../outside/sim-table.ts'
import type { SimNetwork, World } from '../../world.ts'

type Scope = NonNullable<CheckpointItem['scope']>

export const isInScope = ({ contracts, fromBlock }: Scope, { address, blockNumber }: EventRecord) =>
  blockNumber >= fromBlock && (contracts === 'any' || contracts.includes(address))

/** The events of the block with this hash and of its ancestors, down to the block number `from`. */
export function eventsUpTo(
  { chain }: SimNetwork,
  { hash, from, scope }: { hash: string; from: number; scope: Scope | undefined },
): EventRecord[] {
  const events: EventRecord[] = []
  for (let block = chain.ofHash(hash); block && block.number >= from; block = chain.ofHash(block.parentHash))
    events.push(...block.events.filter(record => !scope || isInScope(scope, record)))
  return events
}

/** The blocks that indexers remember, because these blocks may still leave the chain. */
export const rememberedBlocks = ({ table }: World, { network }: SimNetwork) =>
  table
    .partition(recentBlocksList(network))
    .map(({ blockNumber, blockHash }) => ({ number: Number(blockNumber?.N), hash: blockHash?.S }))
