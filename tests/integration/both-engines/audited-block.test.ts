import { type AuditedMove, moveAuditedBlock } from '../../../lib/audit/move-audited-block.ts'
import type { AuditedBlock, Checkpoint } from '../../../lib/store/format/checkpoint.ts'
import { acquireLease, readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'

knowNodeErrors()
const engine = useEngine()
const SCOPE = { contracts: [`0x${'ab'.repeat(20)}`], fromBlock: 3, erc721: true }

const blockOf = (blockNumber: number) => ({
  blockNumber,
  blockHash: `0x${String(blockNumber).padStart(64, '0')}`,
  timestamp: 1000 + blockNumber,
})
const checkpointOf = (blockNumber: number, finalizedBlock: number): Checkpoint => ({
  ...blockOf(blockNumber),
  finalizedBlock,
})

/** A network that is indexed up to block 50 and final up to block 40. Its indexer still runs. */
async function setup() {
  const tableName = await engine.createEventsTable()
  const clock = createIdleClock()
  const client = clock.watchClient(localClient(engine.endpoint))
  const lease = await acquireLease({ client, tableName, network: 'base', scope: SCOPE, clock })
  await lease.moveCheckpoint(checkpointOf(50, 40))
  const move = (block: AuditedBlock, others: Partial<AuditedMove> = {}) =>
    moveAuditedBlock(block, {
      client,
      tableName,
      network: 'base',
      scope: SCOPE,
      firstBlock: 3,
      since: { revision: 0 },
      ...others,
    })
  const audited = async () => (await readIndexState({ client, tableName, network: 'base' }))?.auditedBlock
  return { client, tableName, lease, move, audited }
}

test('moves from the first indexed block on, each time from where it was', async () => {
  const { client, tableName, lease, move, audited } = await setup()

  expect(await move(blockOf(20))).toBe(true)
  expect(await move(blockOf(30), { firstBlock: 21 })).toBe(true)
  expect(await move(blockOf(25))).toBe(true)

  expect(await audited()).toEqual(blockOf(30))
  const { networks } = await createCheckpointReader({ client, tableName })()
  expect(networks).toMatchObject([{ network: 'base', auditedThrough: { blockNumber: 30, timestamp: 1030 } }])
  await lease.end({ release: true })
})

test('does not move over a gap, above finality, or for another scope', async () => {
  const { lease, move, audited } = await setup()
  await move(blockOf(20))

  expect(await move(blockOf(30), { firstBlock: 22 })).toBe(false)
  expect(await move(blockOf(41))).toBe(false)
  expect(await move(blockOf(30), { scope: { ...SCOPE, fromBlock: 2 } })).toBe(false)
  expect(await move(blockOf(30), { scope: { ...SCOPE, contracts: 'any' } })).toBe(false)
  expect(await move(blockOf(30), { network: 'polygon' })).toBe(false)

  expect(await audited()).toEqual(blockOf(20))
  await lease.end({ release: true })
})

test('goes back with the checkpoint, and stays where the checkpoint moves elsewhere', async () => {
  const { lease, move, audited } = await setup()
  await move(blockOf(30))

  await lease.moveCheckpoint(checkpointOf(51, 40))
  expect(await audited()).toEqual(blockOf(30))
  await lease.moveCheckpoint(checkpointOf(35, 40))
  expect(await audited()).toEqual(blockOf(30))
  await lease.moveCheckpoint(checkpointOf(25, 40))
  expect(await audited()).toEqual(blockOf(25))
  expect(await move(blockOf(30))).toBe(false)
  await lease.moveCheckpoint(checkpointOf(50, 40))
  expect(await audited()).toEqual(blockOf(25))
  expect(await move(blockOf(30), { firstBlock: 26 })).toBe(true)
  await lease.end({ release: true })
})

test('is gone when indexing begins anew', async () => {
  const { lease, move, audited } = await setup()
  await move(blockOf(30))

  await lease.restart(SCOPE)
  expect(await audited()).toBeUndefined()
  expect(await move(blockOf(30))).toBe(false)
  await lease.end({ release: true })
})
