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

test('networks are in alphabetical order, and left out of a header if they have no such block', () => {
  expect(networkHeaders([polygon, base], { isFinality: true })).toEqual({
    'X-Indexed-Through': 'base=34160634@2025-08-13T10:20:15Z, polygon=2@1970-01-01T00:00:00Z',
    'X-Audited-Through': 'base=34158000@2025-08-13T08:52:27Z',
    'X-Finalized-Through': 'base=34158834@2025-08-13T09:20:15Z',
  })
  expect(networkHeaders([base], { isFinality: false })).not.toHaveProperty('X-Finalized-Through')
  const finalBefore = { base: 34158835 }
  expect(networkHeaders([base], { isFinality: true, finalBefore })).not.toHaveProperty('X-Finalized-Through')
})
