import fc from 'fast-check'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import { networkOfMinBlock, valuesOf } from '../oracle/oracle-problems.ts'
import type { LaggingNetworks } from '../store/lagging-networks.ts'
import type { ApiRequest } from './api-request.ts'

/** By network, the block that a request names. */
export const minBlocksOf = ({ query }: ApiRequest): Map<string, number> =>
  new Map(valuesOf(query, 'minBlock').map(value => [networkOfMinBlock(value), Number(value.split(':')[1])]))

/** Whether a request asks for final events alone. */
export const isOfFinality = ({ query }: ApiRequest) => valuesOf(query, 'finalized').includes('true')

/** The networks that a request may have events of. */
function networksIn({ query }: ApiRequest): Network[] {
  const asked = valuesOf(query, 'network')
  return NETWORKS.filter(network => asked.length === 0 || asked.includes(network))
}

/**
 * The request with the last block that is indexed of every network that lags, so that its answer holds all that is
 * stored, and perhaps with blocks of others. Where only final events are asked for, with blocks of all: without any, what
 * is final is read as late as an index is.
 */
export function namingAll(request: ApiRequest, { indexed, lagging }: LaggingNetworks) {
  const known = networksIn(request).flatMap(network => {
    const last = indexed[network]
    if (typeof last !== 'number') return []
    const isNamed = lagging.includes(network) || isOfFinality(request)
    const block = isNamed ? fc.constant(last) : fc.oneof(fc.constant(undefined), fc.nat(last))
    return [block.map(number => (number === undefined ? [] : [[network, number] as const]))]
  })
  return withMinBlocks(request, fc.tuple(...known))
}

/** The request with blocks of the networks that lag, up to which they are indexed and mostly further. */
export function namingSome(request: ApiRequest, { indexed, lagging }: LaggingNetworks) {
  const known = networksIn(request).flatMap(network => {
    const last = indexed[network]
    if (typeof last !== 'number' || !lagging.includes(network)) return []
    return [
      fc.integer({ min: Math.max(0, last - 12), max: last }).map(number => [[network, number] as const]),
    ]
  })
  return withMinBlocks(request, fc.tuple(...known))
}

/** The request with any blocks of any networks, of which some are not indexed, and some are left out. */
export function namingAny(request: ApiRequest, { indexed }: LaggingNetworks) {
  const blocks = NETWORKS.map(network => {
    const last = indexed[network]
    const around = typeof last === 'number' ? last : 5
    const number = fc.integer({ min: Math.max(0, around - 3), max: around + 1 })
    return fc
      .tuple(fc.nat(9), number)
      .map(([drawn, block]) =>
        drawn < 6 ? [] : Array.from({ length: drawn === 9 ? 2 : 1 }, () => [network, block] as const),
      )
  })
  return withMinBlocks(request, fc.tuple(...blocks))
}

type Named = readonly (readonly [network: Network, blockNumber: number])[]

/** In a list or one by one, with or without zeros in front, somewhere among the others. */
const withMinBlocks = (request: ApiRequest, drawn: fc.Arbitrary<Named[]>): fc.Arbitrary<ApiRequest> =>
  fc
    .record({
      named: drawn,
      isList: fc.boolean(),
      zeros: fc.constantFrom('', '', '00'),
      at: fc.nat(request.query.length),
    })
    .map(({ named, isList, zeros, at }) => {
      const values = named.flat().map(([network, number]) => `${network}:${zeros}${number}`)
      const texts = isList && values.length > 0 ? [values.join(',')] : values
      const pairs = texts.map((text): [string, string] => ['minBlock', text])
      return { ...request, query: request.query.toSpliced(at, 0, ...pairs) }
    })
