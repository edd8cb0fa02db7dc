import { isDeepStrictEqual } from 'node:util'
import { decodeLog } from '../chain/logs/decode-log.ts'
import { DECODERS, type EventDecoders } from '../chain/logs/event-decoders.ts'
import type { RawLog } from '../chain/logs/raw-log.ts'
import type { ProvableHeader } from '../chain/nodes/block-header.ts'
import type { BlockProof } from '../chain/nodes/read-proven-block.ts'
import { compareByTime, decodePlace, type Place, placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { type Contracts, isOneOf } from '../store/format/checkpoint.ts'
import type { Difference } from './difference.ts'
import type { ServedEvent } from './served-events.ts'

export interface ProvenHeader {
  header: ProvableHeader
  proof: BlockProof
}

export interface BlocksToCompare {
  blocks: readonly ProvenHeader[]
  served: readonly ServedEvent[]
  contracts: Contracts
  decoders: EventDecoders
}

export interface Comparison {
  expected: EventRecord[]
  /** The expected events that are served without any difference. */
  equal: EventRecord[]
  differences: Difference[]
}

/** Compares records field by field. Skips unproven blocks, and in a partly proven block compares only proven events. */
export function compareBlocks({ blocks, served, contracts, decoders }: BlocksToCompare): Comparison {
  const logs = blocks.flatMap(({ proof }) => ('logs' in proof ? proof.logs : []))
  const expected = new Map(eventsOf(logs, decoders).map(record => [placeOf(record), record] as const))
  const erc721Logs = logs.filter(({ topics: [topic = ''] }) => !DECODERS.has(topic))
  const ofErc721 = new Set(eventsOf(erc721Logs, decoders).map(placeOf))
  const proofAt = createProofFinder(blocks)
  const differences: Difference[] = []
  const equal: EventRecord[] = []
  const found = new Set<Place>()
  const firstBlock = blocks[0]?.header.number ?? 0
  const tell = (kind: Difference['kind'], { id, place, address }: Told) => {
    const blockNumber = decodePlace(place)?.blockNumber ?? firstBlock
    const fromBlock = proofAt(place) ? blockNumber : firstBlock
    const isErc721 = kind !== 'extra' && ofErc721.has(place)
    differences.push({ kind, id, place, blockNumber, fromBlock, address, ...(isErc721 && { isErc721 }) })
  }

  for (const { place, id, record } of served) {
    const wanted = expected.get(place)
    if (wanted && !found.has(place)) {
      found.add(place)
      if (isDeepStrictEqual(record, wanted)) equal.push(wanted)
      else if (!record || id === wanted.id) tell('different', { ...idOf(wanted), place })
      else {
        tell('missing', { ...idOf(wanted), place })
        tell('extra', { ...idOf(record), place })
      }
    } else if ((!record || isOneOf(contracts, record.address)) && mustBeProven(proofAt(place))) {
      tell('extra', { id, address: record?.address, place })
    }
  }
  for (const [place, record] of expected) if (!found.has(place)) tell('missing', { ...idOf(record), place })
  differences.sort((a, b) => compareByTime(a.place, b.place))
  return { expected: [...expected.values()], equal, differences }
}

type Told = Pick<Difference, 'id' | 'address' | 'place'>

const idOf = ({ id, address }: EventRecord) => ({ id, address })

const eventsOf = (logs: readonly RawLog[], decoders: EventDecoders): EventRecord[] =>
  logs.flatMap(log => {
    const decoded = decodeLog(log, decoders)
    return 'record' in decoded ? [decoded.record] : []
  })

/** Finds the proof of the block that has both the block number and the time of a place. */
function createProofFinder(blocks: readonly ProvenHeader[]) {
  const byNumber = new Map(blocks.map(block => [block.header.number, block]))
  return (place: Place): BlockProof | undefined => {
    const parts = decodePlace(place)
    const block = parts && byNumber.get(parts.blockNumber)
    return block && block.header.timestamp === parts.seconds ? block.proof : undefined
  }
}

/**
 * Whether an unexpected event must be wrong, because its block is proven or because no block has its number and time.
 */
const mustBeProven = (proof: BlockProof | undefined) =>
  proof === undefined || proof.proof === 'empty' || proof.proof === 'receipts'
