import type { EventKind, EventRecord, Network } from '../../../client/records.ts'
import { describeOccurrence } from './describe-occurrence.ts'
import type { Occurrence } from './occurrences-of.ts'
import { RELATIONS, type Relation, relationOf } from './relation-of.ts'

/** The summary of the shown events. */
export interface Summary {
  /** The earliest and the latest event. */
  span: readonly [EventRecord, EventRecord]
  /**
   * Each network with its number of occurrences, most frequent first. `kinds`, `contracts` and `parties` are counted
   * and sorted in the same way.
   */
  networks: readonly Count<Network>[]
  kinds: readonly Count<EventKind>[]
  contracts: readonly Count<string>[]
  /** The parties other than the wallet. */
  parties: readonly Count<string>[]
  /** Each relation of the wallet with its number of occurrences, in display order. Empty without a wallet. */
  relations: readonly Count<Relation>[]
  /**
   * The totals of the question's token id on each network, in the order of `networks`. Contracts with the same address
   * on several networks have different tokens. Empty if the question has no token id.
   */
  tokens: readonly TokenTotals[]
}

export type Count<Value> = readonly [value: Value, times: number]

interface TokenTotals {
  network: Network
  transfers: number
  minted: bigint
  burned: bigint
}

export interface Viewpoint {
  wallet?: string | undefined
  /** A decimal number. */
  tokenId?: string | undefined
}

/** Summarises occurrences. Undefined without occurrences. */
export function summarise(
  occurrences: readonly Occurrence[],
  { wallet, tokenId }: Viewpoint,
): Summary | undefined {
  const records = occurrences.flatMap(occurrence => occurrence.records)
  const [earliest] = records.toSorted(byTime)
  const latest = records.toSorted(byTime).at(-1)
  if (!earliest || !latest) return undefined
  const described = occurrences.map(describeOccurrence)
  const own = wallet?.toLowerCase()
  const others = described.map(({ from, to, by }) => new Set([from, to, by].filter(each => each !== own)))
  const relations = own === undefined ? [] : described.map(each => relationOf(each, own))
  const networks = countEach(occurrences.map(({ records: [{ network }] }) => network).sort())
  return {
    span: [earliest, latest],
    networks,
    kinds: countEach(occurrences.map(({ kind }) => kind)),
    contracts: countEach(occurrences.map(({ records: [{ address }] }) => address)),
    parties: countEach(others.flatMap(each => [...each].filter(address => address !== undefined))),
    relations: countEach(relations).toSorted(
      ([one], [other]) => RELATIONS.indexOf(one) - RELATIONS.indexOf(other),
    ),
    tokens:
      tokenId === undefined ? [] : networks.map(([network]) => totalsOf(occurrences, { network, tokenId })),
  }
}

const byTime = (one: EventRecord, other: EventRecord) =>
  Date.parse(one.createdAt) - Date.parse(other.createdAt)

function countEach<Value>(values: readonly Value[]): Count<Value>[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

/**
 * Counts each occurrence once, because a mint's own event and its transfer are about the same tokens. A mint whose
 * transfer is not shown is counted by its own event.
 */
function totalsOf(
  occurrences: readonly Occurrence[],
  { network, tokenId }: { network: Network; tokenId: string },
): TokenTotals {
  const totals = { network, transfers: 0, minted: 0n, burned: 0n }
  for (const occurrence of occurrences.filter(({ records: [record] }) => record.network === network)) {
    const { move, items } = describeOccurrence(occurrence)
    const quantity = items
      .filter(item => item.tokenId === tokenId)
      .reduce((sum, item) => sum + BigInt(item.quantity), 0n)
    if (move === 'mint') totals.minted += quantity
    if (move === 'burn') totals.burned += quantity
    if (move === 'transfer') totals.transfers += 1
  }
  return totals
}
