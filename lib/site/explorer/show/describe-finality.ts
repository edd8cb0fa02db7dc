import type { Network } from '../../../client/records.ts'
import { CHAINS } from '../../../events/networks.ts'
import { onlyValue, type Question } from '../question/question.ts'

/** A network's entry in a header such as `X-Indexed-Through`. */
export interface Through {
  network: Network
  blockNumber: string
  timestamp: string
}

const ENTRY = /^([\w-]+)=(\d+)@(\S+)$/

/** Reads a header such as `X-Indexed-Through`, whose form is `base=34160634@2025-08-13T10:20:15Z, polygon=…`. */
export const readThrough = (header = ''): Through[] =>
  header.split(', ').flatMap(entry => {
    const [, network, blockNumber, timestamp] = ENTRY.exec(entry) ?? []
    return network && blockNumber && timestamp
      ? [{ network: network as Network, blockNumber, timestamp }]
      : []
  })

/** Undefined if the question does not ask for final events, or if the final block of one of its networks is known. */
export function describeFinality(
  question: Question,
  { finalizedThrough }: { finalizedThrough: string | undefined },
): string | undefined {
  if (onlyValue(question, 'finalized') !== 'true') return undefined
  const final = readThrough(finalizedThrough).map(({ network }) => network)
  const asked = (question.parameters.network ?? []) as Network[]
  if (asked.length === 0 ? final.length > 0 : asked.some(network => final.includes(network))) return undefined
  const networks = asked.map(network => CHAINS[network]?.label ?? network).join(' or ') || 'any network'
  return `You asked only for final events, but the service knows no final block of ${networks}. Only an indexer reports final blocks, so a network loaded from files has none.`
}
