import { CHAINS } from '../../../lib/events/networks.ts'
import { createBlockNotes } from '../../../lib/ingest/load/note-blocks.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const DAY_MS = 86_400_000

/** Returns the noted blocks of base, if blocks with these numbers and ages have events. */
function notedOf(blocks: [blockNumber: number, ageMs: number][]): number[] {
  const notes = createBlockNotes({ now: () => NOW })
  for (const [blockNumber, ageMs] of blocks) {
    notes.add(makeEvent('Minted', { blockNumber, createdAt: new Date(NOW - ageMs).toISOString() }))
  }
  return notes.final().flatMap(([, times]) => times.map(time => time.blockNumber))
}

test('the time of a block is noted once the block is far below the highest, and a day old', () => {
  const highest = 100_000 + CHAINS.base.finalDepth

  expect(
    notedOf([
      [98_000, 3 * DAY_MS],
      [99_000, DAY_MS],
      [100_000, DAY_MS - 1000],
      [highest, 0],
    ]),
  ).toEqual([98_000, 99_000])
  expect(
    notedOf([
      [highest - 1, 3 * DAY_MS],
      [highest, 0],
    ]),
  ).toEqual([])
})

test('a log with a far too high block number makes no recent block final', () => {
  expect(
    notedOf([
      [100_000, 3_600_000],
      [101_000, 1000],
      [10 ** 11, 0],
    ]),
  ).toEqual([])
})
