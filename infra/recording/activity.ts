import { type Address, keccak256, maxUint256, stringToHex, zeroAddress } from 'viem'

/** One call to a Collectibles contract. `by` and all users in the arguments are accounts of the node. */
export interface Call {
  by: Address
  contract: number
  functionName: string
  args: readonly unknown[]
}

export const call = (by: Address, contract: number, functionName: string, ...args: unknown[]): Call => ({
  by,
  contract,
  functionName,
  args,
})

/** Returns an id with bit 255 set. Such long ids must be tested, because some contracts encode other data in them. */
const longId = (number: number) => (1n << 255n) + BigInt(number)

/** So many ids that their list exceeds 4 KB, the maximum length of a field that the table stores within an item. */
const LONG_BATCH = 120
const CROWDED_BLOCK_MINTS = 8

/**
 * Returns the calls of a round, as one list for each block. The calls cover every kind of event, every role, and also
 * unusual cases: an operator who does not own the tokens, a transfer to oneself, quantity 0, a repeated id in a batch,
 * and a transfer of ownership to the current owner. Batches have no ids, one id or many ids. Some ids have 256 bits,
 * and one quantity has 201 bits. Each round has its own ids.
 */
export function activity(users: readonly Address[], round: number): Call[][] {
  const [ada, bob, cyd, dan, eve] = users as [Address, Address, Address, Address, Address]
  const id = (number: number) => BigInt(round * 1000 + number)
  const bucket = (number: number) => keccak256(stringToHex(`bucket ${id(number)}`))
  const longIds = Array.from({ length: LONG_BATCH }, (_, index) => longId(round * 1000 + index))
  return [
    [
      call(ada, 0, 'mint', cyd, id(1), 10n, bucket(1)),
      call(ada, 0, 'mint', dan, id(2), 1n, bucket(2)),
      call(bob, 1, 'mint', cyd, maxUint256 - id(0), 3n, bucket(3)),
      call(cyd, 0, 'setApprovalForAll', eve, true),
    ],
    [
      call(ada, 0, 'mintBatch', cyd, [id(3), id(4), id(5)], [1n, 20n, 300n]),
      call(bob, 1, 'mintBatch', dan, [id(0)], [1n << 200n]),
      call(eve, 1, 'announceBatch', zeroAddress, eve, [], []),
    ],
    [
      call(cyd, 0, 'safeTransferFrom', cyd, dan, id(1), 4n, '0x'),
      call(eve, 0, 'safeTransferFrom', cyd, bob, id(1), 1n, '0x'),
      call(dan, 0, 'safeTransferFrom', dan, dan, id(2), 1n, '0x'),
      call(dan, 0, 'safeTransferFrom', dan, eve, id(2), 0n, '0x'),
    ],
    [
      call(cyd, 0, 'safeBatchTransferFrom', cyd, eve, [id(4), id(5), id(4)], [5n, 100n, 5n], '0x'),
      call(eve, 0, 'safeBatchTransferFrom', cyd, dan, [id(3), id(5)], [1n, 1n], '0x'),
      call(bob, 0, 'safeBatchTransferFrom', bob, cyd, [], [], '0x'),
    ],
    [
      call(dan, 0, 'burn', dan, id(1), 2n),
      call(cyd, 0, 'burnBatch', cyd, [id(4), id(5)], [1n, 2n]),
      call(
        bob,
        1,
        'mintBatch',
        bob,
        longIds,
        longIds.map(() => 7n),
      ),
    ],
    [
      call(ada, 0, 'transferOwnership', ada),
      ...Array.from({ length: CROWDED_BLOCK_MINTS }, (_, index) =>
        call(
          dan,
          1,
          'mint',
          index % 2 === 0 ? eve : ada,
          id(100 + index),
          1n,
          index === 0 ? '' : `größer ✓ ${index}`,
        ),
      ),
    ],
    [call(bob, 1, 'safeTransferFrom', bob, ada, longId(round * 1000), 7n, '0x')],
  ]
}

export function lastBlock(users: readonly Address[]): Call[] {
  const [ada, bob, cyd] = users as [Address, Address, Address]
  return [call(ada, 0, 'transferOwnership', cyd), call(bob, 1, 'renounceOwnership')]
}
