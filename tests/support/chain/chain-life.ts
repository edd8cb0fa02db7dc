import type { Call } from '../../../infra/recording/activity.ts'
import type { Random } from '../records/random.ts'
import type { TestChain } from './chain.ts'

/** Makes the record of a batch so large that its ids are kept in chunks. */
const LONG_BATCH = 150
const DEEPEST_REORGANISATION = 20
/** Behind so many blocks the node calls its chain final. */
const FINAL_DEPTH = 64

/** A life of a chain from its head on: whatever happens there happens by chance, but never past finality. */
export function liveFrom(chain: TestChain, { random, firstBlock }: { random: Random; firstBlock: number }) {
  const calls = (upTo: number) =>
    Array.from({ length: random.below(upTo + 1) }, () => randomCall(chain, random))

  async function reorganise() {
    const depth = Math.min((await chain.head()) - firstBlock + 1, 1 + random.below(DEEPEST_REORGANISATION))
    if (depth < 1) return chain.mine(calls(2))
    await chain.reorganise(
      depth,
      Array.from({ length: depth }, () => (random.chance(0.3) ? calls(2) : [])),
    )
  }

  return {
    /** The newest blocks are replaced by others. */
    reorganise,
    /** One thing that happens. */
    async goOn() {
      const chance = random.next()
      if (chance < 0.6) return chain.mine(calls(3))
      if (chance < 0.75) return chain.mineEmpty(1 + random.below(5))
      if (chance < 0.8) return chain.mineEmpty(FINAL_DEPTH)
      return reorganise()
    },
  }
}

/** A call that succeeds whatever was or was not called before. */
function randomCall({ users, contracts }: TestChain, random: Random): Call {
  const contract = random.below(contracts.length)
  const by = random.pick(users)
  const to = random.pick(users)
  const ids = Array.from({ length: random.chance(0.05) ? LONG_BATCH : random.below(4) }, () =>
    BigInt(random.below(2 ** 31)),
  )
  const ones = ids.map(() => 1n)
  const zeros = ids.map(() => 0n)
  const call = (functionName: string, args: readonly unknown[]) => ({ by, contract, functionName, args })
  const deployer = users[contract] ?? by
  return random.pick<Call>([
    call('mint', [to, BigInt(random.below(1000)), 1n, `bucket ${random.below(1000)}`]),
    call('mintBatch', [to, ids, ones]),
    call('announceBatch', [contracts[0], to, ids, ones]),
    call('safeTransferFrom', [by, to, 1n, 0n, '0x']),
    call('safeBatchTransferFrom', [by, to, ids, zeros, '0x']),
    { ...call('transferOwnership', [deployer]), by: deployer },
  ])
}
