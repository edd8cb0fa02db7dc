import type { Call } from '../../../infra/recording/activity.ts'
import type { Random } from '../records/random.ts'
import type { TestChain } from './chain.ts'

/** The number of ids in a long batch. It is so large that the ids are stored in chunks. */
const LONG_BATCH = 150
const DEEPEST_REORGANISATION = 20
/** The node's finality depth in blocks. */
const FINAL_DEPTH = 64

/**
 * A random life of a chain: a sequence of new blocks and reorganisations from the current head on. No reorganisation
 * removes a final block or a block lower than `firstBlock`.
 */
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
    /** Replaces the newest blocks, up to 20, by new blocks. Mines one block if there is nothing to replace. */
    reorganise,
    /** Takes one random step of the life: mines blocks or reorganises the chain. */
    async goOn() {
      const chance = random.next()
      if (chance < 0.6) return chain.mine(calls(3))
      if (chance < 0.75) return chain.mineEmpty(1 + random.below(5))
      if (chance < 0.8) return chain.mineEmpty(FINAL_DEPTH)
      return reorganise()
    },
  }
}

/** A call that succeeds independently of earlier calls. */
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
