import { maxUint256 } from 'viem'
import type { Call } from '../../../infra/recording/activity.ts'
import type { TestChain } from '../chain/chain.ts'
import type { Random } from '../records/random.ts'

const FEW_IDS = 5

/** Calls for one block. Most of them move tokens, and all of them succeed, whatever the earlier blocks contain. */
export function randomTrades({ users, contracts }: TestChain, random: Random): Call[] {
  const by = random.pick(users)
  const to = random.pick(users)
  const contract = random.below(contracts.length)
  const call = (functionName: string, ...args: unknown[]): Call => ({ by, contract, functionName, args })
  const id = BigInt(random.below(FEW_IDS))
  const hugeId = 2n ** 255n + BigInt(random.below(2 ** 31)) * 2n ** 31n + BigInt(random.below(2 ** 31))
  const quantity = BigInt(1 + random.below(1000))
  // A batch may repeat an id.
  const ids = Array.from({ length: 1 + random.below(6) }, () => BigInt(random.below(FEW_IDS)))
  const quantities = ids.map(() => BigInt(random.below(100)))
  const some = quantity - BigInt(random.below(Number(quantity)))
  return random.pick([
    [call('mint', to, id, quantity, 'bucket')],
    [call('mint', by, id, quantity, 'bucket'), call('safeTransferFrom', by, to, id, some, '0x')],
    [call('mint', by, id, quantity, 'bucket'), call('burn', by, id, some)],
    [call('mintBatch', by, ids, quantities), call('safeBatchTransferFrom', by, to, ids, quantities, '0x')],
    [call('mintBatch', by, ids, quantities), call('burnBatch', by, ids, quantities)],
    [
      call('mint', by, hugeId, maxUint256, ''),
      call('safeTransferFrom', by, to, hugeId, maxUint256 - 1n, '0x'),
    ],
    // This call announces a batch, but does not move tokens.
    [call('announceBatch', contracts[contract], to, ids, quantities)],
  ])
}
