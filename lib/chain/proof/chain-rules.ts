/**
 * How the receipts trie encodes a receipt. A `plain` receipt begins with a type byte, unless its type is 0. A `deposit`
 * receipt always begins with a type byte, and may end with a nonce and a version. An `untyped` receipt has no type
 * byte.
 */
export type ReceiptForm = 'plain' | 'untyped' | 'deposit'

export interface BlockRule {
  forms: ReadonlyMap<number, ReceiptForm>
  /** The first field of a receipt: the state root before Byzantium (EIP-658), and the status since Byzantium. */
  outcome: 'root' | 'status'
  /**
   * Whether the block may have a state-sync receipt. The block's receipts root and Bloom filter do not cover this
   * receipt.
   */
  mayHaveStateSync: boolean
}

/** The rules for all blocks from number `from` up to the block before the next era. */
interface Era {
  from: number
  forms: ReadonlyMap<number, ReceiptForm>
  outcome?: 'root'
  /** State-sync occurs only in blocks whose number is a multiple of this number. */
  stateSyncEvery?: number
  /** Why no rule exists for the era. */
  reason?: string
}

const plain = (...types: number[]) => types.map((type): [number, ReceiptForm] => [type, 'plain'])

const ETHEREUM = new Map(plain(0, 1, 2, 3, 4))
/** A deposit is type 0x7e (specs.optimism.io, Deposits). */
const OPTIMISM = new Map([...ETHEREUM, [0x7e, 'deposit'] as const])
/** Type 0x78 is older than Nitro, and its receipts have no type byte (OffchainLabs' go-ethereum, core/types). */
const NITRO = new Map([...ETHEREUM, ...plain(0x64, 0x65, 0x66, 0x68, 0x69, 0x6a), [0x78, 'untyped'] as const])
/** Since the Madhugiri upgrade, state-sync is a transaction of type 0x7f (PIP-74). */
const MADHUGIRI = new Map([...ETHEREUM, ...plain(0x7f)])

const CLASSIC =
  'Arbitrum blocks before Nitro (block 22207818) do not commit to the receipts that nodes return'
/** State-sync occurs only in the first block of a sprint. Sprints originally had 64 blocks, and later 16. */
const SHORTEST_SPRINT = 16

const ethereum: readonly Era[] = [{ from: 0, forms: ETHEREUM }]
const optimism: readonly Era[] = [{ from: 0, forms: OPTIMISM }]
const polygon = (madhugiri: number): readonly Era[] => [
  { from: 0, forms: ETHEREUM, stateSyncEvery: SHORTEST_SPRINT },
  { from: madhugiri, forms: MADHUGIRI },
]

/** The eras of each chain, by chain id. Includes test networks and development nodes. */
const ERAS: ReadonlyMap<number, readonly Era[]> = new Map([
  [
    1,
    [
      { from: 0, forms: ETHEREUM, outcome: 'root' },
      { from: 4_370_000, forms: ETHEREUM },
    ],
  ],
  [17_000, ethereum],
  [560_048, ethereum],
  [11_155_111, ethereum],
  [10, optimism],
  [11_155_420, optimism],
  [8453, optimism],
  [84_531, optimism],
  [84_532, optimism],
  [56, ethereum],
  [97, ethereum],
  [137, polygon(80_084_800)],
  [80_002, polygon(28_899_616)],
  [
    42_161,
    [
      { from: 0, forms: NITRO, reason: CLASSIC },
      { from: 22_207_818, forms: NITRO },
    ],
  ],
  [421_614, [{ from: 0, forms: NITRO }]],
  [31_337, ethereum],
  [1337, ethereum],
])

export function ruleOf(block: { chainId: number; number: number }): { rule: BlockRule } | { reason: string } {
  const { chainId, number } = block
  const era = ERAS.get(chainId)?.findLast(({ from }) => from <= number)
  if (!era) return { reason: `It is unknown how the chain with id ${chainId} encodes receipts` }
  const { forms, outcome = 'status', stateSyncEvery, reason } = era
  if (reason) return { reason }
  const mayHaveStateSync = stateSyncEvery !== undefined && number % stateSyncEvery === 0
  return { rule: { forms, outcome, mayHaveStateSync } }
}
