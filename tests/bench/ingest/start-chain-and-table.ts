import type { Address } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import { commandClient } from '../../../lib/kit/command-client.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { startTable } from '../cost/open-table.ts'

const CALLS_PER_BLOCK = 100
/** This many empty blocks follow each block with events, because most contracts are inactive most of the time. */
const QUIET_BLOCKS = 9
/** The depth in blocks at which every indexer treats a block as final. */
const FINAL_DEPTH = 64
const EVENTS_PER_MINT = 2

/** Starts a node whose chain has at least this many events of mints, all final, and an engine with an empty table. */
export async function startChainAndTable(events: number) {
  const chain = await startChain()
  const [by, ...owners] = chain.users as [Address, ...Address[]]
  await mineCalls(chain, events / EVENTS_PER_MINT, number => ({
    ...{ by, contract: 0, functionName: 'mint' },
    args: [owners[number % owners.length], BigInt(number), 1n, `bucket ${number}`],
  }))
  const table = await startTable()
  return {
    chain,
    table,
    /** What an indexer needs to write the chain's events into the table, except the nodes. */
    indexing: {
      network: 'polygon',
      contracts: 'any',
      tableName: table.tableName,
      createClient: () => commandClient({ endpoint: table.endpoint }),
      signal: new AbortController().signal,
    } as const,
    async [Symbol.asyncDispose]() {
      await Promise.all([table[Symbol.asyncDispose](), chain.stop()])
    },
  }
}

/** Mines at least `count` calls, and then empty blocks until the calls' blocks are final. */
export async function mineCalls(chain: TestChain, count: number, callOf: (number: number) => Call) {
  for (let made = 0; made < count; made += CALLS_PER_BLOCK) {
    await chain.mine(Array.from({ length: CALLS_PER_BLOCK }, (_, at) => callOf(made + at)))
    await chain.mineEmpty(QUIET_BLOCKS)
  }
  await chain.mineEmpty(FINAL_DEPTH)
}
