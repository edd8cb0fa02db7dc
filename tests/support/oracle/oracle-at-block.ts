import type { EventRecord } from '../../../lib/events/record.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import { answer, type Finality, type OracleAnswer } from './oracle.ts'
import { networkOfMinBlock, valuesOf } from './oracle-problems.ts'

/** The last indexed block, or `nothing` if an indexer has started but has not stored a block yet. */
export type Indexed = Partial<Record<EventRecord['network'], number | 'nothing'>>

interface KnownChains {
  finality: Finality
  indexed: Indexed
}

/** Answers a request, which may have `minBlock`. A 412 lists the networks that are behind their `minBlock`. */
export function answerAtBlock(
  records: readonly EventRecord[],
  request: ApiRequest,
  { finality, indexed }: KnownChains,
): OracleAnswer | { status: 412; networks: string[] } {
  const answered = answer(records, request, finality)
  if (answered.status === 400) return answered
  const minBlocks = valuesOf(request.query, 'minBlock').map(value => ({
    network: networkOfMinBlock(value),
    minBlock: Number(value.split(':')[1]),
  }))
  const known = new Map<string, number | 'nothing'>(Object.entries(indexed))
  if (minBlocks.some(({ network }) => !known.has(network))) return { status: 400, parameters: ['minBlock'] }
  const behind = minBlocks.filter(({ network, minBlock }) => {
    const block = known.get(network)
    return typeof block !== 'number' || block < minBlock
  })
  return behind.length > 0 ? { status: 412, networks: behind.map(({ network }) => network) } : answered
}
