import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-id.ts'
import { type EventFields, eventFields, type Placed } from './arbitrary-fields.ts'

export interface EventSetSize {
  /** At most so many blocks a network. */
  blocks: number
  /** At most so many events a block. */
  events: number
  /** So many more events in one of the blocks. */
  crowd?: number
}

/**
 * Sets of events that keep what events promise (time never falls as block numbers rise, one hash and one
 * time a block, no log index twice) and are full of ties: networks share block numbers, seconds and
 * transaction hashes, many blocks share a second, few addresses take every part. In no particular order.
 */
export function eventSets({ blocks, events, crowd = 0 }: EventSetSize): fc.Arbitrary<EventRecord[]> {
  const chain = fc.record({
    firstBlock: fc.nat(3),
    firstSecond: fc.nat(3),
    blocks: fc.array(blockOf(events), { maxLength: blocks, size: 'max' }),
  })
  return fc
    .record({
      /** Where decimal digits are added, so that comparing as text would show, and the filter's bound. */
      around: fc.constantFrom(0, 8, 98, 99_999_998),
      chains: fc.tuple(...NETWORKS.map(() => chain)),
      crowded: fc.nat(),
    })
    .map(({ around, chains, crowded }) => {
      const records = chains.flatMap((drawn, index) => recordsOf(NETWORKS[index] ?? 'base', drawn, around))
      return scatter([...records, ...crowdBehind(records, { crowd, at: crowded })])
    })
}

/** One of those sets, always the same for a seed. */
export const eventSetOf = (size: EventSetSize, seed: number): EventRecord[] =>
  fc.sample(fc.noBias(eventSets(size)), { seed, numRuns: 1 }).flat()

type DrawnEvent = { fields: EventFields; logGap: number; transaction: number }
type DrawnBlock = { blockGap: number; secondGap: number; events: DrawnEvent[] }
type DrawnChain = { firstBlock: number; firstSecond: number; blocks: DrawnBlock[] }

const blockOf = (events: number): fc.Arbitrary<DrawnBlock> =>
  fc.record({
    blockGap: fc.constantFrom(1, 1, 1, 2, 5),
    secondGap: fc.constantFrom(0, 0, 0, 1, 2, 3600),
    events: fc.array(
      fc.record({ fields: eventFields, logGap: fc.constantFrom(1, 1, 2, 9, 100), transaction: fc.nat(1) }),
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
        /** The same on every network. */
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

/** More events in the block and the transaction of one of the records: copies of all of them in turn. */
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

/** Not in the order of the chain, and always the same way. */
const scatter = (records: EventRecord[]): EventRecord[] =>
  records
    .map(record => ({ record, by: hashOf(record.id) }))
    .toSorted((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ record }) => record)
