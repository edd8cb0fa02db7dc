import { NETWORKS, type Network } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER } from '../../events/place.ts'
import { likelyMeant, readWith, wholeNumber } from '../value-schemas.ts'

/** A value of `minBlock`: the answer must contain every event of the network up to this block. */
export interface MinBlock {
  network: Network
  blockNumber: number
}

/** For each network in `minBlock`, the block up to which an answer must contain every event. */
export type MinBlocks = ReadonlyMap<Network, number>

const EXAMPLE = 'base:34160634'
const FORM = `must be a network and a block number, such as ${EXAMPLE}`
const NO_NETWORK = `must name a network, as in ${EXAMPLE}. For events from a block on, use fromBlock`
const NUMBER = `must have an integer from 0 to ${MAX_BLOCK_NUMBER} after the colon, in plain decimal digits`

const blockSchema = wholeNumber({ min: 0, max: MAX_BLOCK_NUMBER })

/** Parses a string of the form `<network>:<block number>`. */
export const minBlockSchema = readWith(readMinBlock)

function readMinBlock(text: string): MinBlock | string {
  if (/^\d+$/.test(text)) return NO_NETWORK
  const colon = text.indexOf(':')
  if (colon < 0) return FORM
  const [name, digits] = [text.slice(0, colon), text.slice(colon + 1)]
  const network = NETWORKS.find(known => known === name)
  if (!network) return unknownNetwork(name)
  return blockSchema.safeParse(digits).success ? { network, blockNumber: Number(digits) } : NUMBER
}

function unknownNetwork(text: string): string {
  const name = text.toLowerCase()
  const whole = NETWORKS.filter(network => network.startsWith(name))
  const meant = whole.length === 1 ? whole[0] : likelyMeant(name, NETWORKS)
  return `must begin with one of ${NETWORKS.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`
}

export function minBlockProblems(
  minBlocks: readonly MinBlock[],
  asked: readonly unknown[] = NETWORKS,
): string[] {
  const networks = minBlocks.map(({ network }) => network)
  const twice = networks.filter((network, index) => networks.indexOf(network) !== index)
  const excluded = networks.filter(network => !asked.includes(network))
  return [
    ...[...new Set(twice)].map(network => `contains ${network} more than once`),
    ...[...new Set(excluded)].map(
      network =>
        `contains ${network}, which the parameter network excludes: add it to network, or remove it from minBlock`,
    ),
  ]
}
