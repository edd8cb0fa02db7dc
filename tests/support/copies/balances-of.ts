import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { TestChain } from '../chain/chain.ts'

const abi = parseAbi(['function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])'])
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** The balances by network, contract, token id and owner, without balances of 0. */
export type Balances = Record<string, string>

export async function chainBalances(
  chain: Pick<TestChain, 'contracts' | 'users' | 'request'>,
  { network, ids }: { network: Network; ids: readonly bigint[] },
): Promise<Balances> {
  const balances: Balances = {}
  for (const to of chain.contracts) {
    const pairs = chain.users.flatMap(owner => ids.map(id => ({ owner, id })))
    const args = [pairs.map(({ owner }) => owner), pairs.map(({ id }) => id)] as [Address[], bigint[]]
    const data = encodeFunctionData({ abi, args })
    const result = (await chain.request('eth_call', [{ to, data }, 'latest'])) as `0x${string}`
    const quantities = decodeFunctionResult({ abi, data: result })
    for (const [index, { owner, id }] of pairs.entries())
      if (quantities[index]) balances[`${network} ${to} ${id} ${owner}`] = String(quantities[index])
  }
  return balances
}

export function sumOfTransfers(records: readonly EventRecord[]): Balances {
  const sums = new Map<string, bigint>()
  for (const record of records) {
    if (record.event !== 'TransferSingle' && record.event !== 'TransferBatch') continue
    for (const [index, id] of record.tokenIds.entries()) {
      for (const [owner, sign] of [
        [record.from, -1n],
        [record.to, 1n],
      ] as const) {
        const key = `${record.network} ${record.address} ${id} ${owner}`
        if (owner !== ZERO_ADDRESS)
          sums.set(key, (sums.get(key) ?? 0n) + sign * BigInt(record.quantities[index] ?? 0))
      }
    }
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, String(sum)]))
}

export const copiedBalances = (rows: readonly Record<string, string | undefined>[]): Balances =>
  Object.fromEntries(
    rows.map(({ network, address, token_id, owner, quantity }) => [
      `${network} ${address} ${token_id} ${owner}`,
      String(BigInt(quantity ?? 0)),
    ]),
  )
