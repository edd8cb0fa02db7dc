import { forgetFinalBlocks } from '../../../lib/ingest/indexer/follow-head.ts'
import type { IndexSession } from '../../../lib/ingest/indexer/index-session.ts'
import type { Checkpoint } from '../../../lib/store/format/checkpoint.ts'
import type { RecentBlock } from '../../../lib/store/writing/recent-blocks.ts'

test.each([
  { finalizedBlock: 13, left: [12] },
  { finalizedBlock: 10, left: [10, 11, 12] },
  { finalizedBlock: undefined, left: [8, 9, 10, 11, 12] },
])(
  'of blocks 8 to 12, $left stay remembered after a checkpoint that knows block $finalizedBlock as final',
  async ({ finalizedBlock, left }) => {
    const session = sessionAt({ finalizedBlock })
    await forgetFinalBlocks(session)
    expect(session.state.recent.map(({ blockNumber }) => blockNumber)).toEqual(left)
  },
)

/** An indexer at block 12, whose node already calls block 11 final. */
function sessionAt({ finalizedBlock }: { finalizedBlock: number | undefined }): IndexSession {
  const recent = [8, 9, 10, 11, 12].map(recentBlock)
  const checkpoint: Checkpoint = { blockNumber: 12, blockHash: hash(12), timestamp: 12, finalizedBlock }
  const client = { send: async () => ({}) } as unknown as IndexSession['table']['client']
  const session: Partial<IndexSession> = {
    network: 'base',
    table: { client, tableName: 'events', network: 'base' },
    state: { recent, checkpoint, final: { number: 11, timestamp: 11 } },
    stop: new AbortController().signal,
    abort: new AbortController().signal,
  }
  return session as IndexSession
}

const hash = (number: number) => `0x${String(number).padStart(64, '0')}`

const recentBlock = (blockNumber: number): RecentBlock => ({
  blockNumber,
  blockHash: hash(blockNumber),
  parentHash: hash(blockNumber - 1),
  timestamp: blockNumber,
  chunkLists: [],
})
