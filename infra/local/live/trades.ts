import type { Address } from 'viem'
import type { Call } from '../../recording/activity.ts'

const TOKENS_PER_ROUND = 4

/**
 * Returns the calls of a round, as one list for each block: a mint, a transfer of the minted token, a batch mint, a
 * sale by the operator `market`, a batch transfer, and burns. In each round, the token ids are new and the wallets take
 * other roles. No round depends on another, so a reorganisation can remove any round.
 */
export function trades(
  { market, wallets }: { market: Address; wallets: readonly Address[] },
  round: number,
): Call[][] {
  const [ada, bob, cyd] = [0, 1, 2].map(place => wallets[(round + place) % wallets.length]) as [
    Address,
    Address,
    Address,
  ]
  const id = (number: number) => BigInt(round * TOKENS_PER_ROUND + number)
  const call = (by: Address, functionName: string, ...args: unknown[]): Call => ({
    by,
    contract: 0,
    functionName,
    args,
  })
  return [
    [call(ada, 'mint', bob, id(1), 10n, `item ${id(1)}`)],
    [call(bob, 'safeTransferFrom', bob, cyd, id(1), 4n, '0x')],
    [call(ada, 'mintBatch', cyd, [id(2), id(3), id(4)], [1n, 20n, 300n])],
    [call(market, 'safeTransferFrom', cyd, bob, id(2), 1n, '0x')],
    [call(cyd, 'safeBatchTransferFrom', cyd, ada, [id(3), id(4)], [5n, 100n], '0x')],
    [call(bob, 'burn', bob, id(1), 1n), call(cyd, 'burnBatch', cyd, [id(3), id(4)], [1n, 2n])],
  ]
}
