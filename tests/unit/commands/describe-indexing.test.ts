import { progressOf, summarise, waitingReport } from '../../../lib/ingest/indexer/describe-indexing.ts'
import type { IndexProgress } from '../../../lib/ingest/indexer/index-options.ts'

/** A run that resumed after block 3 and found no new block. */
const followed = (overrides: Partial<IndexProgress> = {}): IndexProgress => ({
  network: 'polygon',
  checkpoint: { blockNumber: 3, blockHash: '0x3', timestamp: 3 },
  ...{ head: 3, headTimestamp: 3, first: 4, target: 3, confirmations: 0 },
  ...{ blocks: 0, events: 0, removed: 0, rejected: 0, writeUnits: 0 },
  ...overrides,
})
const none = { elapsedMs: 1000, outage: undefined }

test('a run that follows a head without new blocks has done all of its work', () => {
  const { done, total, message } = progressOf(followed(), none)

  expect(done / total).toBe(1)
  expect(message).toMatch(/^polygon: block 3 of 3, 0 blocks behind the head, \d+ s old; 0 events, 0\/s$/)
})

test.each([
  ['has no block yet', { checkpoint: undefined, head: 1, first: 4, target: -1 }, 0],
  ['is half done', { head: 5, target: 5, checkpoint: { blockNumber: 4, blockHash: '', timestamp: 4 } }, 0.5],
  ['is above the newest block', { head: 1, target: 1 }, 0],
])('a run that %s has not done all of its work', (_, overrides, part) => {
  const { done, total } = progressOf(followed(overrides), none)

  expect(done / Math.max(1, total)).toBe(part)
})

test('while the table does not answer, the progress says so instead of naming the head', () => {
  const outage = { since: performance.now() - 24_000, reason: 'the connection was refused' }
  const { message, fields } = progressOf(followed(), { elapsedMs: 1000, outage })

  expect(message).toMatch(
    /^polygon: block 3 of 3, but the table has not answered for \d.* \(the connection was refused\); /,
  )
  expect(message).not.toContain('behind the head')
  expect(fields).toMatchObject({ trouble: 'the connection was refused' })
})

test.each([
  ['below what is indexed', 1],
  ['that no node has reported', -1],
])('a newest block %s leads to no negative number', (_, head) => {
  expect(progressOf(followed({ head }), none).message).not.toContain(' -')
  expect(summarise(followed({ head }), 1000)).toMatch(/^polygon is indexed up to block 3 \([^,]+\)\n/)
})

const ofCounts = (count: number) => ({ events: count, blocks: count, removed: count, rejected: count })
const ONE =
  '1 event of 1 block in 1 s (1/s); 1 event removed after a reorganisation; 1 log left out, because it matches no known event'
const TWO =
  '2 events of 2 blocks in 1 s (2/s); 2 events removed after a reorganisation; 2 logs left out, because they match no known event'

test.each([
  [ofCounts(1), ONE],
  [ofCounts(2), TWO],
  [{ checkpoint: undefined, confirmations: 1 }, 'and 1 confirmation is required'],
  [{ checkpoint: undefined, confirmations: 4 }, 'and 4 confirmations are required'],
])('a summary with %j has the right singular or plural', (overrides, text) => {
  expect(summarise(followed(overrides), 1000)).toContain(text)
})

test('a run that waits for a lease names its owner and the longest wait', () => {
  expect(waitingReport('polygon', { owner: 'host-1', leaseMs: 10_000 }).message).toBe(
    'polygon: the process host-1 has not released its lease. Waiting up to 10 s to see whether it is still running …',
  )
})
