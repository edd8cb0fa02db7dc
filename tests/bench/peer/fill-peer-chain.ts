import { type Address, zeroAddress } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { mineCalls } from '../ingest/start-chain-and-table.ts'

export interface PeerChain extends TestChain {
  busyUser: Address
  busyToken: Address
  busyId: bigint
  /** The times of the middle half of the chain's blocks, in Unix seconds. */
  span: { fromTime: number; toTime: number }
}

/** Ten calls emit 16 events. */
const EVENTS_PER_CALL = 1.6
const CALLS_PER_OWNERSHIP = 300
/** Every user owns tokens of this id, so that every user can transfer them. */
const COMMON_ID = 1n
const SUPPLY = 1_000_000n

/**
 * The chain has about this many events of all kinds, all in final blocks. One wallet takes part in seven of sixteen
 * events, one token emits seven of eight events, and about one event in 450 is an `OwnershipTransferred`.
 */
export async function fillPeerChain(events: number): Promise<PeerChain> {
  const chain = await startChain()
  const { users, contracts } = chain
  const everybody = users.flatMap(by => [0, 1].map(contract => mintOf(by, contract, by, COMMON_ID)))
  await chain.mine(everybody)
  await mineCalls(chain, events / EVENTS_PER_CALL, number => callOf(users, number))
  return {
    ...chain,
    busyUser: users[0] ?? zeroAddress,
    busyToken: contracts[0] ?? zeroAddress,
    busyId: COMMON_ID,
    span: await middleOf(chain),
  }
}

async function middleOf(chain: TestChain) {
  const head = await chain.head()
  const timeAt = async (share: number) => (await chain.block(Math.floor(share * head))).timestamp
  return { fromTime: await timeAt(1 / 4), toTime: await timeAt(3 / 4) }
}

/** The sequence of calls is the same in every run. */
function callOf(users: readonly Address[], number: number): Call {
  const [busy, deployer, ...others] = users as [Address, Address, ...Address[]]
  const other = (offset: number) => others[(number + offset) % others.length] ?? deployer
  const contract = number % 8 === 7 ? 1 : 0
  if (number % CALLS_PER_OWNERSHIP === 0) {
    return { by: busy, contract: 0, functionName: 'transferOwnership', args: [busy] }
  }
  const by = other(1)
  const to = number % 5 < 2 ? busy : other(2)
  const id = BigInt(number + 2)
  if (number % 10 < 5) return mintOf(by, contract, to, id)
  if (number % 10 === 5) {
    return { by, contract, functionName: 'mintBatch', args: [to, [id, id + SUPPLY], [1n, 20n]] }
  }
  return { by, contract, functionName: 'safeTransferFrom', args: [by, to, COMMON_ID, 1n, '0x'] }
}

const mintOf = (by: Address, contract: number, to: Address, id: bigint): Call => ({
  by,
  contract,
  functionName: 'mint',
  args: [to, id, SUPPLY, `bucket ${id}`],
})
