import type { TokenQuery } from '../../../../lib/client/query.ts'
import type { Random } from '../../../support/records/random.ts'
import { CONTRACTS, USERS } from '../../outside/log-pool.ts'
import type { Block } from '../../outside/sim-chain.ts'
import type { SimNetwork } from '../../world.ts'

export function drawFilter({ chain }: SimNetwork, random: Random): TokenQuery {
  const final = chain.finalized().number
  const block = random.pick(chain.blocks.filter(({ number }) => number <= final).slice(-12))
  return random.pick<TokenQuery>([
    {},
    { address: random.pick(CONTRACTS) },
    { user: random.pick(USERS) },
    filterOf(block, random),
    { fromBlock: block.number - 5, toBlock: block.number },
    { to: random.pick(USERS), event: ['TransferSingle', 'TransferBatch'] },
    { from: random.pick(USERS), to: random.pick(USERS) },
    { address: CONTRACTS.slice(0, 2), event: ['Minted', 'MintedBatch', 'OwnershipTransferred'] },
    { creator: random.pick(USERS) },
  ])
}

export function filterOf({ number, events }: Block, random: Random): TokenQuery {
  return random.pick<TokenQuery>([
    {},
    ...(number <= HIGHEST_FILTER ? [{ blockNumber: number }] : []),
    ...events.map(({ transactionHash }) => ({ transactionHash })),
    { fromBlock: number, toBlock: number },
  ])
}

/** The interface accepts no higher `blockNumber`. */
const HIGHEST_FILTER = 100_000_000

/** Draws no order by block number for the events of a single block, because all have the same number. */
export function drawOrder({ blockNumber }: TokenQuery, random: Random): TokenQuery {
  const [one, other] = [random.pick(['asc', 'desc'] as const), random.pick(['asc', 'desc'] as const)]
  const byTime: TokenQuery = { createdAt: one }
  if (blockNumber !== undefined) return byTime
  return random.pick<TokenQuery>([byTime, { blockNumber: one }, { createdAt: one, blockNumber: other }])
}
