import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { lowerAuditedBlock } from '../../../lib/audit/lower-claim.ts'
import {
  type AuditedMove,
  moveAuditedBlock,
  readAuditedSince,
} from '../../../lib/audit/move-audited-block.ts'
import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { BEGINNING, endOfBlock } from '../../../lib/events/place.ts'
import type { AuditedBlock } from '../../../lib/store/format/checkpoint.ts'
import { REVISION, revisionKey } from '../../../lib/store/format/revision-item.ts'
import { acquireLease, readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'

knowNodeErrors()
const engine = useEngine()
const stopLater = useStops(afterEach)
const SCOPE = { contracts: [`0x${'ab'.repeat(20)}`], fromBlock: 3, erc721: true }

const blockOf = (blockNumber: number) => ({
  blockNumber,
  blockHash: `0x${String(blockNumber).padStart(64, '0')}`,
  timestamp: 1000 + blockNumber,
})
const checkpointOf = (block: number, finalizedBlock: number) => ({ ...blockOf(block), finalizedBlock })

/** A node whose newest block is `head`. */
const nodeWith = (head: number): ChainNode => ({
  name: 'node',
  request: async (_, [number]) => {
    const { blockHash, timestamp } = blockOf(Number(number))
    const block = { number, hash: blockHash, parentHash: blockHash, timestamp: `0x${timestamp.toString(16)}` }
    return Number(number) > head ? null : { ...block, logsBloom: `0x${'00'.repeat(256)}` }
  },
})

/** The network is indexed up to block 50 and final up to block 40, and its indexer still runs. */
async function setup() {
  const tableName = await engine.createEventsTable()
  const clock = createIdleClock()
  const client = clock.watchClient(localClient(engine.endpoint))
  const lease = await acquireLease({ client, tableName, network: 'base', scope: SCOPE, clock })
  stopLater({ stop: () => lease.end({ release: true }) })
  await lease.moveCheckpoint(checkpointOf(50, 40))
  const move = (block: AuditedBlock, others: Partial<AuditedMove> = {}) =>
    moveAuditedBlock(block, {
      ...{ client, tableName, network: 'base', scope: SCOPE, firstBlock: 3, since: { revision: 0 } },
      ...{ nodes: groupNodes([nodeWith(50)], { clock }), signal: AbortSignal.timeout(60_000) },
      ...others,
    })
  const audited = async () => (await readIndexState({ client, tableName, network: 'base' }))?.auditedBlock
  return { client, tableName, clock, lease, move, audited }
}

test('moves from the first indexed block on, each time from where it was', async () => {
  const { client, tableName, move, audited } = await setup()

  expect(await move(blockOf(20))).toBe('moved')
  expect(await move(blockOf(30), { firstBlock: 21 })).toBe('moved')
  expect(await move(blockOf(25))).toBe('moved')

  expect(await audited()).toEqual(blockOf(30))
  const { networks } = await createCheckpointReader({ client, tableName })()
  expect(networks).toMatchObject([{ network: 'base', auditedThrough: { blockNumber: 30, timestamp: 1030 } }])
})

test('does not move over a gap, above finality, or for another scope', async () => {
  const { move, audited } = await setup()
  await move(blockOf(20))

  expect(await move(blockOf(30), { firstBlock: 22 })).toBe('refused')
  expect(await move(blockOf(41))).toBe('refused')
  expect(await move(blockOf(30), { scope: { ...SCOPE, fromBlock: 2 } })).toBe('refused')
  expect(await move(blockOf(30), { scope: { ...SCOPE, contracts: 'any' } })).toBe('refused')
  expect(await move(blockOf(30), { network: 'polygon' })).toBe('refused')

  expect(await audited()).toEqual(blockOf(20))
})

test("does not move until a node has the checkpoint's block, because a node that lacks it may belong to another chain", async () => {
  const { clock, move, audited } = await setup()
  const lagging = nodeWith(49)

  await expect(move(blockOf(20), { nodes: groupNodes([lagging], { clock }) })).rejects.toThrow(
    'No node gives a valid answer: node (The node does not have block 50)',
  )
  expect(await audited()).toBeUndefined()

  expect(await move(blockOf(20), { nodes: groupNodes([lagging, nodeWith(50)], { clock }) })).toBe('moved')
})

test('goes back with the checkpoint also while an audit lowers it, which takes no lease away', async () => {
  const { client, tableName, lease, move, audited } = await setup()
  await move(blockOf(30))
  const other = localClient(engine.endpoint)
  let lowered = 0
  client.middlewareStack.add(
    next => async args => {
      const { ConditionExpression = '' } = args.input as { ConditionExpression?: string }
      if (ConditionExpression.includes('AND #auditedBlock >') && lowered++ === 0) {
        await lowerAuditedBlock(blockOf(20), { client: other, tableName, network: 'base' })
      }
      return next(args)
    },
    { step: 'initialize' },
  )

  await lease.moveCheckpoint(checkpointOf(25, 40))

  expect(lowered).toBe(1)
  expect(await audited()).toEqual(blockOf(20))
  other.destroy()
})

describe('where the log does not show all changes since the audit began', () => {
  const above = endOfBlock({ seconds: 1050, blockNumber: 50, network: 'base' }, 'asc')
  const revisionOf = (number: number, { place = above, at = 1100 + number } = {}) => ({
    ...revisionKey(number),
    [REVISION]: JSON.stringify({ places: { base: place }, removed: [], at }),
  })

  async function setupLog() {
    const table = await setup()
    const { client, tableName } = table
    const { documents } = engine
    const put = (Item: object) => documents.send(new PutCommand({ TableName: tableName, Item }))
    const expire = (number: number) =>
      documents.send(new DeleteCommand({ TableName: tableName, Key: revisionKey(number) }))
    await put(revisionOf(1))
    const { since } = await readAuditedSince({ client, tableName, network: 'base' })
    return { ...table, put, expire, since }
  }

  test('does not move past an entry that has expired before an earlier one', async () => {
    const { move, put, expire, since } = await setupLog()
    await put(revisionOf(2, { place: BEGINNING }))
    await put(revisionOf(3))
    expect(await move(blockOf(30), { since })).toBe('refused')

    await expire(2)

    expect(await move(blockOf(30), { since })).toBe('refused')
  })

  test('does not move in another table of the name, whose log has as many entries', async () => {
    const { move, put, since } = await setupLog()
    await put(revisionOf(1, { at: 5000 }))

    expect(await move(blockOf(30), { since })).toBe('refused')

    await put(revisionOf(1))
    await put(revisionOf(2))
    expect(await move(blockOf(30), { since })).toBe('moved')
  })
})
