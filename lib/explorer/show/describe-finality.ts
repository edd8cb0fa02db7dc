import type { Network } from '../../client/records.ts'
import { CHAINS } from '../../events/networks.ts'
import { onlyValue, type Question } from '../question/question.ts'
import { readThrough } from './read-through.ts'

/**
 * Why a question about final events finds none: the answer names no final block of any network that was asked for.
 * Undefined where that is not the reason.
 */
export function describeFinality(
  question: Question,
  { finalizedThrough }: { finalizedThrough: string | undefined },
): string | undefined {
  if (onlyValue(question, 'finalized') !== 'true') return undefined
  const final = readThrough(finalizedThrough).map(({ network }) => network)
  const asked = (question.parameters.network ?? []) as Network[]
  if (asked.length === 0 ? final.length > 0 : asked.some(network => final.includes(network))) return undefined
  const networks = asked.map(network => CHAINS[network]?.label ?? network).join(' or ') || 'any network'
  return `Only final events were asked for, and the answer names no final block of ${networks}. Only an indexer knows which blocks are final: of a network that was loaded from files alone, none is.`
}
