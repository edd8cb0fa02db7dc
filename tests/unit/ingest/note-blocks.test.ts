import { CHAINS } from '../../../lib/events/networks.ts'
import { createBlockNotes } from '../../../lib/ingest/load/note-blocks.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const DAY_MS = 86_400_000

/** Returns the noted blocks of base, if blocks with these numbers and ages have events. */
function notedOf(ages: Record<number, number>): number[] {
  const notes = createBlockNotes({ now: () => NOW })
  for (const [blockNumber, ageMs] of Object.entries(ages)) {
    const createdAt = new Date(NOW - ageMs).toISOString()
    notes.add(makeEvent('Minted', { blockNumber: Number(blockNumber), createdAt }))
  }
  return notes.final().flatMap(([, times]) => times.map(time => time.blockNumber))
}

test('the time of a block is noted once the block is far below the highest, and a day old', () => {
  const highest = 100_000 + CHAINS.base.finalDepth
  const older = { 98000: 3 * DAY_MS, 99000: DAY_MS, 100000: DAY_MS - 1000 }

  expect(notedOf({ ...older, [highest]: 0 })).toEqual([98_000, 99_000])
  expect(notedOf({ [highest - 1]: 3 * DAY_MS, [highest]: 0 })).toEqual([])
})
