import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { EventKind } from '../../../lib/events/event-kinds.ts'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import { type EventFields, eventFields, type Placed } from './arbitrary-fields.ts'

export interface EventSetSize {
  /** The maximum number of blocks per network. */
  blocks: number
  /** The maximum number of events per block. */
  events: number
  /** Additional events in one of the blocks. */
  crowd?: number
  kinds?: readonly EventKind[]
}

/**
 * A test that relies on a fixed seed must use only these kinds, because a new kind would change the events that the
 * seed produces.
 */
export const FIRST_KINDS = 'Minted MintedBatch TransferSingle TransferBatch OwnershipTransferred'.split(
  ' ',
) as EventKind[]

/**
 * Draws events in random order. Times never decrease as block numbers increase, each block has one hash and one time,
 * and log indexes are unique within a block. Many events tie: networks share block numbers, seconds and transaction
 * hashes, several blocks share a second, and all roles use the same few addresses.
 */
export function eventSets({ blocks, events, crowd = 0, kinds }: EventSetSize): fc.Arbitrary<EventRecord[]> {
  const chain = fc.record({
    firstBlock: fc.nat(3),
    firstSecond: fc.nat(3),
    blocks: fc.array(blockOf(events, kinds), { maxLength: blocks, size: 'max' }),
  })
  return fc
    .record({
      /**
       * Block numbers close to a change in the number of digits, where a comparison as strings would fail. The last
       * number is just below the maximum of the filter `blockNumber`.
       */
      around: fc.constantFrom(0, 8, 98, 99_999_998),
      chains: fc.tuple(...NETWORKS.map(() => chain)),
      crowded: fc.nat(),
    })
    .map(({ around, chains, crowded }) => {
      const records = chains.flatMap((drawn, index) => recordsOf(NETWORKS[index] ?? 'base', drawn, around))
      return scatter([...records, ...crowdBehind(records, { crowd, at: crowded })])
    })
}

/** The same seed always gives the same set. */
export const eventSetOf = (size: EventSetSize, seed: number): EventRecord[] =>
  fc.sample(fc.noBias(eventSets(size)), { seed, numRuns: 1 }).flat()

type DrawnEvent = { fields: EventFields; logGap: number; transaction: number }
type DrawnBlock = { blockGap: number; secondGap: number; events: DrawnEvent[] }
type DrawnChain = { firstBlock: number; firstSecond: number; blocks: DrawnBlock[] }

const blockOf = (events: number, kinds?: readonly EventKind[]): fc.Arbitrary<DrawnBlock> =>
  fc.record({
    blockGap: fc.constantFrom(1, 1, 1, 2, 5),
    secondGap: fc.constantFrom(0, 0, 0, 1, 2, 3600),
    events: fc.array(
      fc.record({
        fields: eventFields(kinds),
        logGap: fc.constantFrom(1, 1, 2, 9, 100),
        transaction: fc.nat(1),
      }),
      { minLength: 1, maxLength: events, size: 'max' },
    ),
  })

const FIRST_SECOND = Date.parse('2023-06-01T12:00:05Z') / 1000

function recordsOf(network: Network, { firstBlock, firstSecond, blocks }: DrawnChain, around: number) {
  let blockNumber = around + firstBlock
  let second = FIRST_SECOND + firstSecond
  return blocks.flatMap(({ blockGap, secondGap, events }, blockIndex) => {
    blockNumber += blockGap
    second += secondGap
    let logIndex = -1
    return events.map(({ fields, logGap, transaction }) => {
      logIndex += logGap
      return place(fields, {
        network,
        blockNumber,
        blockHash: hashOf(`block ${blockNumber} of ${network}`),
        /** Does not depend on the network, so that networks share transaction hashes. */
        transactionHash: hashOf(`transaction ${transaction} of block ${blockIndex}`),
        logIndex,
        createdAt: new Date(second * 1000).toISOString(),
      })
    })
  })
}

const place = (fields: EventFields, placed: Placed): EventRecord => ({
  ...fields,
  ...placed,
  id: recordId(placed),
})

const hashOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

function crowdBehind(records: EventRecord[], { crowd, at }: { crowd: number; at: number }): EventRecord[] {
  const host = records[at % records.length]
  if (!host) return []
  const { network, blockNumber, blockHash, transactionHash, createdAt } = host
  const inBlock = records.filter(one => one.network === network && one.blockNumber === blockNumber)
  const lastLogIndex = Math.max(...inBlock.map(one => one.logIndex))
  return Array.from({ length: crowd }, (_, index) => {
    const { id: _id, ...fields } = records[(at + index) % records.length] ?? host
    const logIndex = lastLogIndex + 1 + index
    return place(fields, { network, blockNumber, blockHash, transactionHash, logIndex, createdAt })
  })
}

/** Puts the records into a reproducible order that differs from chain order. */
const scatter = (records: EventRecord[]): EventRecord[] =>
  records
    .map(record => ({ record, by: hashOf(record.id) }))
    .toSorted((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ record }) => record)
