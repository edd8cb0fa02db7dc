import fc from 'fast-check'
import { CLOCK_DIFFERENCE_SECONDS, INDEX_LAG_SECONDS } from '../../../lib/query/indexed-through.ts'
import { type IndexedSince, noteIndexed, notesIn } from '../../../lib/store/format/indexed-since.ts'

type Moved = { blockNumber: number; blockHash: string; timestamp: number; indexedSince?: IndexedSince }

const hashOf = (blockNumber: number, fork = 0) => `0x${`${fork}f${blockNumber}`.padStart(64, '0')}`

const block = (blockNumber: number, fork = 0): Moved => ({
  blockNumber,
  blockHash: hashOf(blockNumber, fork),
  timestamp: 1_700_000_000 + 2 * blockNumber,
})

function move(before: Moved | undefined, to: Moved, seconds: number): Moved {
  return { ...to, indexedSince: noteIndexed(before, to, seconds * 1000) }
}

const movedTo = (...moves: [blockNumber: number, seconds: number, fork?: number][]) =>
  moves.reduce<Moved | undefined>(
    (before, [blockNumber, seconds, fork]) => move(before, block(blockNumber, fork), seconds),
    undefined,
  )

/** A writer that does not update the notes has moved this checkpoint. */
const left = { ...block(100, 1), indexedSince: noteIndexed(undefined, block(100), 0) }

test.each<[string, Moved | undefined, string]>([
  ['that does not move keeps the time of its note', movedTo([5, 100], [5, 900]), '5,100'],
  [
    'that moves back keeps the notes about lower blocks',
    movedTo([100, 0], [150, 200], [200, 400], [120, 500], [160, 600, 1]),
    '100,0 120,200 160,600',
  ],
  ['without notes gets one when it moves', move(block(100), block(101), 50), '100,50 101,50'],
  ['that another writer has moved loses its notes', move(left, block(101, 1), 5000), '100,5000 101,5000'],
])('a checkpoint %s', (_, moved, notes) => {
  expect(moved?.indexedSince?.notes.map(([at, number]) => [number, at]).join(' ')).toBe(notes)
})

const mostly = (usual: fc.Arbitrary<number>, rare: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: rare })
const moves = fc.array(
  fc.record({
    by: mostly(fc.nat(50), fc.integer({ min: -60, max: -1 })),
    after: mostly(fc.nat(90), fc.nat(4000)),
  }),
  { maxLength: 60 },
)

test('every note is true, however the checkpoint was moved', () => {
  fc.assert(
    fc.property(moves, drawn => {
      let checkpoint: Moved | undefined
      let seconds = 0
      /** For each block, the second since which the block has been stored continuously. */
      let storedSince: number[] = []
      drawn.forEach(({ by, after }, fork) => {
        seconds += after / 2
        const to = Math.max(0, (checkpoint?.blockNumber ?? 0) + by)
        storedSince = storedSince.slice(0, to + 1)
        while (storedSince.length <= to) storedSince.push(seconds)
        checkpoint = move(checkpoint, block(to, by < 0 ? 0 : fork), seconds)
        for (const [at, number] of checkpoint.indexedSince?.notes ?? []) {
          expect(Math.max(...storedSince.slice(0, number + 1))).toBeLessThanOrEqual(at)
        }
      })
    }),
  )
})

test('there are few notes, and the last settled note is at most 250 seconds older than necessary', () => {
  const settledAfter = INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 40, maxLength: 80 }), gaps => {
      let checkpoint: Moved | undefined
      let seconds = 0
      gaps.forEach((gap, index) => {
        seconds += gap
        checkpoint = move(checkpoint, block(index), seconds)
        const notes = checkpoint.indexedSince?.notes ?? []
        const settled = notes.findLast(([at]) => at <= seconds - settledAfter)

        expect(notes.length).toBeLessThanOrEqual(18)
        if (seconds > settledAfter + 250) expect(settled?.[0]).toBeGreaterThan(seconds - settledAfter - 250)
      })
    }),
  )
})

const notesAt = (...blocks: number[]) => blocks.map((block, index) => [100 * (index + 1), block, block])

test.each<[string, object]>([
  ['no notes', {}],
  ['notes of another checkpoint', { indexedSince: { M: { blockHash: { S: hashOf(6) }, notes: { L: [] } } } }],
  ['something else', { indexedSince: { S: 'x' } }],
  ['a note that is none', { indexedSince: stored([[100, -1, 5]]) }],
  ['a note without a time', { indexedSince: stored([[100, 5]]) }],
  ['notes out of order', { indexedSince: stored(notesAt(5, 4)) }],
])('an item with %s has none', (_, attributes) => {
  expect(notesIn({ blockHash: { S: hashOf(5) }, ...attributes })).toEqual([])
})

test('the notes of an item are read as they were written', () => {
  const notes = notesAt(4, 5)
  const read = notes.map(([at, blockNumber, timestamp]) => ({ at, blockNumber, timestamp }))

  expect(notesIn({ blockHash: { S: hashOf(5) }, indexedSince: stored(notes) })).toEqual(read)
})

function stored(notes: number[][]) {
  const L = notes.map(note => ({ L: note.map(value => ({ N: String(value) })) }))
  return { M: { blockHash: { S: hashOf(5) }, notes: { L } } }
}
