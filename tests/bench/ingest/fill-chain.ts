import type { Address } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'

const CALLS_PER_BLOCK = 100
/** So many empty blocks follow each block with events, because most contracts are inactive most of the time. */
const QUIET_BLOCKS = 9
/** The depth in blocks at which every indexer treats a block as final. */
const FINAL_DEPTH = 64
const EVENTS_PER_MINT = 2

/** The chain has at least this many events of mints, all in final blocks. */
export async function fillChain(events: number): Promise<TestChain> {
  const chain = await startChain()
  const [by, ...owners] = chain.users as [Address, ...Address[]]
  await mineCalls(chain, events / EVENTS_PER_MINT, number => ({
    ...{ by, contract: 0, functionName: 'mint' },
    args: [owners[number % owners.length], BigInt(number), 1n, `bucket ${number}`],
  }))
  return chain
}

/** Mines at least `count` calls, and then empty blocks until the calls' blocks are final. */
export async function mineCalls(chain: TestChain, count: number, callOf: (number: number) => Call) {
  for (let made = 0; made < count; made += CALLS_PER_BLOCK) {
    await chain.mine(Array.from({ length: CALLS_PER_BLOCK }, (_, at) => callOf(made + at)))
    await chain.mineEmpty(QUIET_BLOCKS)
  }
  await chain.mineEmpty(FINAL_DEPTH)
}
