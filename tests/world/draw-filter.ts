import type { TokenQuery } from '../../lib/client/query.ts'
import type { Random } from '../support/records/random.ts'
import { CONTRACTS, USERS } from './outside/log-pool.ts'
import type { SimNetwork } from './world.ts'

/** Draws the filters of a question about a network's newest final blocks. */
export function drawFilter({ chain }: SimNetwork, random: Random): TokenQuery {
  const final = chain.finalized().number
  const block = random.pick(chain.blocks.filter(({ number }) => number <= final).slice(-12))
  const event = block.events.length > 0 ? random.pick(block.events) : undefined
  return random.pick<TokenQuery>([
    {},
    { address: random.pick(CONTRACTS) },
    { user: random.pick(USERS) },
    ...(block.number <= HIGHEST_FILTER ? [{ blockNumber: block.number }] : []),
    ...(event ? [{ transactionHash: event.transactionHash }] : []),
    { fromBlock: block.number - 5, toBlock: block.number },
    { to: random.pick(USERS), event: ['TransferSingle', 'TransferBatch'] },
    { from: random.pick(USERS), to: random.pick(USERS) },
    { address: CONTRACTS.slice(0, 2), event: ['Minted', 'MintedBatch', 'OwnershipTransferred'] },
    { creator: random.pick(USERS) },
  ])
}

/** The interface accepts no higher number. */
const HIGHEST_FILTER = 100_000_000
