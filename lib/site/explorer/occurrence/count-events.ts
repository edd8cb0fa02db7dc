import type { EventKind, EventRecord, Network } from '../../../client/records.ts'
import { USER_FIELDS, ZERO_ADDRESS } from '../../../events/event-kinds.ts'
import { type Question, tokenIdOf } from '../question/question.ts'
import { relationFilters, relationsOf } from '../question/relation-filters.ts'
import { isTransfer } from './occurrences-of.ts'

/**
 * All numbers are numbers of events, except the numbers of units in `tokens`. lib/site/explorer/README.md explains what
 * each number counts.
 */
export interface Counts {
  span: readonly [first: string, last: string]
  /**
   * Each network with its number of events, most frequent first. The kinds, contracts and parties have the same form.
   */
  networks: readonly Count<Network>[]
  kinds: readonly Count<EventKind>[]
  contracts: readonly Count<string>[]
  /** The users in any role, except the wallet and the zero address. */
  parties: readonly Count<string>[]
  relations: readonly Count<string>[]
  /**
   * The minted and burned units of the question's token id, for each contract on each network, because the same id in
   * another contract is another token. Only transfers are counted. Empty if the question has no token id.
   */
  tokens: readonly TokenUnits[]
}

export type Count<Value> = readonly [value: Value, times: number]

export interface TokenUnits {
  network: Network
  address: string
  minted: bigint
  burned: bigint
}

/** `records` must not be empty. */
export function countEvents(records: readonly EventRecord[], question: Question): Counts {
  const times = records.map(({ createdAt }) => createdAt).sort()
  const [first = ''] = times
  const left = [question.wallet?.toLowerCase(), ZERO_ADDRESS]
  const filters = relationFilters(question)
  const names = countEach(records.flatMap(record => relationsOf(record, filters)))
  return {
    span: [first, times.at(-1) ?? first],
    networks: countEach(records.map(({ network }) => network)),
    kinds: countEach(records.map(({ event }) => event)),
    contracts: countEach(records.map(({ address }) => address)),
    parties: countEach(records.flatMap(record => [...usersOf(record)])).filter(
      ([user]) => !left.includes(user),
    ),
    relations: filters.flatMap(({ name }) => names.filter(([counted]) => counted === name)),
    tokens: unitsOf(records, tokenIdOf(question)),
  }
}

/** Most frequent first. */
export function countEach<Value>(values: readonly Value[]): Count<Value>[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

const usersOf = (record: EventRecord): ReadonlySet<string> =>
  new Set(USER_FIELDS[record.event].map(field => String(Reflect.get(record, field))))

function unitsOf(records: readonly EventRecord[], tokenId: string | undefined): TokenUnits[] {
  const tokens = new Map<string, TokenUnits>()
  for (const { network, address, from, to, tokenIds, quantities } of records.filter(isTransfer)) {
    if (tokenId === undefined || !tokenIds.includes(tokenId)) continue
    const key = `${network} ${address}`
    const token = tokens.get(key) ?? { network, address, minted: 0n, burned: 0n }
    const units = quantities.filter((_, place) => tokenIds[place] === tokenId).map(BigInt)
    const sum = units.reduce((total, each) => total + each, 0n)
    if (from === ZERO_ADDRESS) token.minted += sum
    if (to === ZERO_ADDRESS) token.burned += sum
    tokens.set(key, token)
  }
  return [...tokens.values()]
}
