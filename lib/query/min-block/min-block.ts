import { closest, distance } from 'fastest-levenshtein'
import * as z from 'zod/mini'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER } from '../../events/place.ts'
import { wholeNumber } from '../value-schemas.ts'

/** A value of `minBlock`: the answer must contain every event of the network up to this block. */
export interface MinBlock {
  network: Network
  blockNumber: number
}

/** For each network in `minBlock`, the block up to which an answer must contain every event. */
export type MinBlocks = ReadonlyMap<Network, number>

const EXAMPLE = 'base:34160634'
const FORM = `must be a network and a block number, such as ${EXAMPLE}`
const NO_NETWORK = `has no network: write ${EXAMPLE}. For events from a block on, use fromBlock`
const NUMBER = `must have an integer from 0 to ${MAX_BLOCK_NUMBER} after the colon, in plain decimal digits`

const blockSchema = wholeNumber({ min: 0, max: MAX_BLOCK_NUMBER })

/** Parses a string of the form `<network>:<block number>`. */
export const minBlockSchema = z.pipe(
  z.string(),
  z.transform((text: string, { issues }): MinBlock => {
    const read = readMinBlock(text)
    if (typeof read !== 'string') return read
    issues.push({ code: 'custom', message: read, input: text })
    return z.NEVER
  }),
)

/** Returns the block, or an error message. */
function readMinBlock(text: string): MinBlock | string {
  if (/^\d+$/.test(text)) return NO_NETWORK
  const colon = text.indexOf(':')
  if (colon < 0) return FORM
  const [name, digits] = [text.slice(0, colon), text.slice(colon + 1)]
  const network = NETWORKS.find(known => known === name)
  if (!network) return unknownNetwork(name)
  return blockSchema.safeParse(digits).success ? { network, blockNumber: Number(digits) } : NUMBER
}

/** No network has a longer name, and the cost of a comparison grows with the square of the length. */
const MAX_COMPARED_LENGTH = 20
/** A name counts as misspelt up to this share of wrong letters. */
const MISSPELT_SHARE = 1 / 3

function unknownNetwork(name: string): string {
  const meant = probablyMeant(name.toLowerCase())
  return `must begin with one of ${NETWORKS.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`
}

function probablyMeant(name: string): string | undefined {
  if (name === '' || name.length > MAX_COMPARED_LENGTH) return undefined
  const whole = NETWORKS.filter(network => network.startsWith(name))
  if (whole.length === 1) return whole[0]
  const nearest = closest(name, NETWORKS)
  return distance(name, nearest) <= Math.ceil(name.length * MISSPELT_SHARE) ? nearest : undefined
}

export function minBlockProblems(
  minBlocks: readonly MinBlock[],
  asked: readonly unknown[] = NETWORKS,
): string[] {
  const networks = minBlocks.map(({ network }) => network)
  const twice = networks.filter((network, index) => networks.indexOf(network) !== index)
  const excluded = networks.filter(network => !asked.includes(network))
  return [
    ...[...new Set(twice)].map(network => `names ${network} more than once`),
    ...[...new Set(excluded)].map(
      network => `names ${network}, which network excludes: add it to network, or remove it from minBlock`,
    ),
  ]
}
