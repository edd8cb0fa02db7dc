import fc from 'fast-check'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import { networkOfMinBlock, valuesOf } from '../oracle/oracle-problems.ts'
import type { LaggingNetworks } from '../store/lagging-networks.ts'
import type { ApiRequest } from './api-request.ts'

export const minBlocksOf = ({ query }: ApiRequest): Map<string, number> =>
  new Map(valuesOf(query, 'minBlock').map(value => [networkOfMinBlock(value), Number(value.split(':')[1])]))

export const isOfFinality = ({ query }: ApiRequest) => valuesOf(query, 'finalized').includes('true')

function networksIn({ query }: ApiRequest): Network[] {
  const asked = valuesOf(query, 'network')
  return NETWORKS.filter(network => asked.length === 0 || asked.includes(network))
}

/**
 * Adds a `minBlock` with the last indexed block of every lagging network, and perhaps blocks of other networks. The
 * answer must then contain all stored matches. With `finalized=true`, `minBlock` contains every network, because a
 * network's known final block can be as stale as an index.
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

/** Adds a `minBlock` with one of the last 13 block numbers of each lagging network. */
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

/** Adds a `minBlock` with random blocks of some networks. Some of these blocks are not indexed. */
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

/** Adds `minBlock` at any position in the query, in one list or repeated, with or without leading zeros. */
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
