import type { EventRecord } from '../../../client/records.ts'
import { ZERO_ADDRESS } from '../../../events/event-kinds.ts'
import { type Parameters, type Question, withParameters } from './question.ts'

/**
 * A transfer's relation to the wallet, as a filter of the service. The same filter determines which rows have the
 * relation's badge and what the summary counts, so the relation's name means the same events everywhere.
 */
export interface RelationFilter {
  name: string
  meaning: string
  parameters: Parameters
}

const WITHOUT: Parameters = { from: [], to: [], operator: [] }

/** Returns filters for a transfer's relation to the wallet or, without a wallet, for mints and burns. */
export function relationFilters({ wallet, parameters }: Question): readonly RelationFilter[] {
  if ('transactionHash' in parameters) return []
  const own = wallet === undefined ? [] : [wallet]
  const [from, to] = wallet === undefined ? ['', ''] : [' from this wallet', ' to this wallet']
  const filter = (name: string, meaning: string, found: Parameters): RelationFilter => ({
    name,
    meaning: `Transfers${meaning}`,
    parameters: Object.fromEntries(Object.entries(found).filter(([, values]) => values.length > 0)),
  })
  const supply = [
    filter('Minted', ` from the zero address${to}`, { to: own, from: [ZERO_ADDRESS] }),
    filter('Burned', `${from} to the zero address`, { to: [ZERO_ADDRESS], from: own }),
  ]
  if (wallet === undefined) return supply
  return [
    filter('Received', `${to}, mints included`, { to: own }),
    filter('Sent', `${from}, burns included`, { from: own }),
    // The zero address is the sender of all mints and the receiver of all burns.
    ...(wallet === ZERO_ADDRESS ? [] : supply),
    filter('Operated', ' that this wallet carried out', { operator: own }),
  ]
}

/** Several filters may match, because a wallet can operate its own transfers. */
export function relationsOf(record: EventRecord, filters: readonly RelationFilter[]): string[] {
  const isFound = ({ parameters }: RelationFilter) =>
    Object.entries(parameters).every(([name, [value]]) => Reflect.get(record, name) === value?.toLowerCase())
  return filters.filter(isFound).map(({ name }) => name)
}

/** Replaces the question's relation filter, or removes this filter if `filter` is undefined. */
export const withRelation = (question: Question, filter?: RelationFilter): Question =>
  withParameters(question, { ...WITHOUT, ...filter?.parameters })

/** Whether the question has exactly this relation filter, or none if `filter` is undefined. */
export const hasRelation = ({ parameters }: Question, filter?: RelationFilter): boolean =>
  Object.keys(WITHOUT).every(
    name =>
      String(parameters[name] ?? []).toLowerCase() === String(filter?.parameters[name] ?? []).toLowerCase(),
  )
