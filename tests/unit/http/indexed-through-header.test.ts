import { indexedThroughHeader } from '../../../lib/http/indexed-through-header.ts'
import type { IndexedThrough } from '../../../lib/query/indexed-through.ts'

test('is written by network, with the time of the block', () => {
  const networks: IndexedThrough[] = [
    { network: 'polygon', blockNumber: 2, timestamp: 0 },
    { network: 'base', blockNumber: 34160634, timestamp: 1755080415 },
  ]

  expect(indexedThroughHeader(networks)).toBe(
    'base=34160634@2025-08-13T10:20:15Z, polygon=2@1970-01-01T00:00:00Z',
  )
  expect(indexedThroughHeader([])).toBeUndefined()
})
