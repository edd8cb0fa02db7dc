import { chunkList } from '../../../lib/store/format/event-items.ts'
import {
  deleteRecentBlocks,
  putRecentBlocks,
  readRecentBlocks,
} from '../../../lib/store/writing/recent-blocks.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

test('a block is remembered whole, however many of its events have chunks', async () => {
  const tableName = await engine.createEventsTable()
  const table = { client: engine.documents, tableName, network: 'base' } as const
  const event = makeEvent('Minted', { network: 'base' })
  const { blockNumber, blockHash } = event
  const block = { blockNumber, blockHash, parentHash: blockHash, timestamp: 1_700_000_000 }
  const listOf = (logIndex: number) => ({ list: chunkList({ ...event, logIndex }), chunks: 1 })
  const chunkLists = Array.from({ length: 5000 }, (_, logIndex) => listOf(logIndex))
  const next = { ...block, blockNumber: blockNumber + 1, blockHash: event.transactionHash, chunkLists: [] }

  await putRecentBlocks([{ ...block, chunkLists }, next], table)

  expect(await readRecentBlocks(table)).toEqual([{ ...block, chunkLists }, next])
  // A killed run has deleted some of the block's items, so the next run knows of fewer lists.
  await deleteRecentBlocks([{ ...block, chunkLists: chunkLists.slice(0, 1500) }], table)
  expect(await readRecentBlocks(table)).toEqual([next])
})
