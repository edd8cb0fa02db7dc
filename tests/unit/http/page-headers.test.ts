import { networkHeaders } from '../../../lib/http/page-headers.ts'
import type { IndexedThrough } from '../../../lib/query/indexed-through.ts'

const polygon: IndexedThrough = { network: 'polygon', blockNumber: 2, timestamp: 0 }
const base: IndexedThrough = {
  network: 'base',
  blockNumber: 34160634,
  timestamp: 1755080415,
  finalizedBlock: 34158834,
  finalizedTimestamp: 1755076815,
  auditedThrough: { blockNumber: 34158000, timestamp: 1755075147 },
}
const isFinality = false

test('networks are in alphabetical order, each with the time of its block', () => {
  expect(networkHeaders([polygon, base], { isFinality })['X-Indexed-Through']).toBe(
    'base=34160634@2025-08-13T10:20:15Z, polygon=2@1970-01-01T00:00:00Z',
  )
})

test('a network without an audited or a finalized block is left out of the header', () => {
  expect(networkHeaders([polygon, base], { isFinality: true })).toMatchObject({
    'X-Audited-Through': 'base=34158000@2025-08-13T08:52:27Z',
    'X-Finalized-Through': 'base=34158834@2025-08-13T09:20:15Z',
  })
})

test('a header without any network is left out', () => {
  expect(networkHeaders([], { isFinality: true })).toEqual({})
  expect(Object.keys(networkHeaders([polygon], { isFinality: true }))).toEqual(['X-Indexed-Through'])
  expect(networkHeaders([base], { isFinality })).not.toHaveProperty('X-Finalized-Through')
})
