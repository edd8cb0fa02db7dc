import type { Address } from 'viem'
import { type Call, call } from '../../recording/activity.ts'

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
  const walletAt = (place: number) => wallets[(round + place) % wallets.length] as Address
  const [ada, bob, cyd] = [walletAt(0), walletAt(1), walletAt(2)]
  const id = (number: number) => BigInt(round * TOKENS_PER_ROUND + number)
  return [
    [call(ada, 0, 'mint', bob, id(1), 10n, `item ${id(1)}`)],
    [call(bob, 0, 'safeTransferFrom', bob, cyd, id(1), 4n, '0x')],
    [call(ada, 0, 'mintBatch', cyd, [id(2), id(3), id(4)], [1n, 20n, 300n])],
    [call(market, 0, 'safeTransferFrom', cyd, bob, id(2), 1n, '0x')],
    [call(cyd, 0, 'safeBatchTransferFrom', cyd, ada, [id(3), id(4)], [5n, 100n], '0x')],
    [call(bob, 0, 'burn', bob, id(1), 1n), call(cyd, 0, 'burnBatch', cyd, [id(3), id(4)], [1n, 2n])],
  ]
}
