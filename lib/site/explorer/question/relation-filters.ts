import { ZERO_ADDRESS } from '../occurrence/zero-address.ts'
import { type Parameters, type Question, withParameters } from './question.ts'

/** A relation that the service can filter by. */
export interface RelationFilter {
  name: string
  /** Describes the events that the filter finds. */
  meaning: string
  parameters: Parameters
}

const WITHOUT: Parameters = { from: [], to: [], operator: [] }

/** The filters for the relation of an event to the wallet. Without a wallet, the filters for mints and burns. */
export function relationFilters({ wallet, parameters }: Question): readonly RelationFilter[] {
  if ('transactionHash' in parameters) return []
  const ofSupply = (own: Parameters, name: 'to' | 'from') => ({ ...own, [name]: [ZERO_ADDRESS] })
  if (wallet === undefined) {
    return [
      { name: 'Minted', meaning: 'Transfers from the zero address', parameters: ofSupply({}, 'from') },
      { name: 'Burned', meaning: 'Transfers to the zero address', parameters: ofSupply({}, 'to') },
    ]
  }
  const [to, from] = [{ to: [wallet] }, { from: [wallet] }]
  const supply = [
    {
      name: 'Minted',
      meaning: 'Transfers from the zero address to this wallet',
      parameters: ofSupply(to, 'from'),
    },
    {
      name: 'Burned',
      meaning: 'Transfers from this wallet to the zero address',
      parameters: ofSupply(from, 'to'),
    },
  ]
  return [
    { name: 'Received', meaning: 'Transfers to this wallet, mints included', parameters: to },
    { name: 'Sent', meaning: 'Transfers from this wallet, burns included', parameters: from },
    // The zero address sends all mints and receives all burns.
    ...(wallet === ZERO_ADDRESS ? [] : supply),
    {
      name: 'Operated',
      meaning: 'Transfers that this wallet carried out',
      parameters: { operator: [wallet] },
    },
  ]
}

/** Returns the question with only this relation filter, or without a relation filter if `filter` is undefined. */
export const withRelation = (question: Question, filter?: RelationFilter): Question =>
  withParameters(question, { ...WITHOUT, ...filter?.parameters })

/**
 * Whether the question has exactly this relation filter. If `filter` is undefined, whether it has no relation filter.
 */
export const hasRelation = ({ parameters }: Question, filter?: RelationFilter): boolean =>
  Object.keys(WITHOUT).every(
    name =>
      String(parameters[name] ?? []).toLowerCase() === String(filter?.parameters[name] ?? []).toLowerCase(),
  )
