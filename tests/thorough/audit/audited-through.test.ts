import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { AuditProgress } from '../../../lib/audit/audit-progress.ts'
import { lowerAuditedBlock, recordDifference } from '../../../lib/audit/lower-claim.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { entriesOf, type IndexedTable, NETWORK, useAuditedTables } from '../../support/audit/audited-table.ts'

const { engine, known, indexed } = useAuditedTables()

const audited = async ({ state }: IndexedTable) => (await state())?.auditedBlock?.blockNumber

test('an audit that was killed before it stored a recorded difference vouches for the blocks after a repair', async () => {
  const table = await indexed()
  const steps: string[] = []
  await table.audit({ onProgress: progress => steps.push(JSON.stringify(progress)) })
  const part: AuditProgress = JSON.parse(steps[0] ?? '')
  await table.remove(entriesOf(known.transfer))
  const killed = new AbortController()
  const onProgress = ({ differences }: AuditProgress) =>
    differences.length > 0 && killed.abort(new Error('killed'))
  const audit = table.audit({ begun: part, onProgress, signal: killed.signal })
  await expect(audit).rejects.toThrow('killed')
  expect(await table.state()).toMatchObject({ differences: 1 })

  expect(await table.audit({ begun: part, repair: true })).toMatchObject({ exitCode: 0 })

  expect(await audited(table)).toBe(known.lastFinal)
  expect((await table.state())?.differentBlock).toBeUndefined()
})

test('differences in blocks that are not indexed yet, or not final, are reported, and others are recorded', async () => {
  const head = await known.chain.head()
  const table = await indexed({ toBlock: known.lastFinal - 1 })
  const newest = known.truth.filter(({ blockNumber }) => blockNumber >= known.lastFinal).map(({ id }) => id)
  expect(await table.audit({ toBlock: head })).toMatchObject({ exitCode: 1, summary: { missing: newest } })
  expect(await table.state()).not.toHaveProperty('differences')

  await table.index()
  await table.remove(known.truth.filter(({ blockNumber }) => blockNumber === head).flatMap(entriesOf))
  expect(await table.audit({ toBlock: head })).toMatchObject({ exitCode: 1 })
  expect(await table.state()).not.toHaveProperty('differences')

  await table.audit()
  expect(await audited(table)).toBe(known.lastFinal)
  await table.remove(entriesOf(known.transfer))
  await table.audit({ toBlock: head })
  expect(await audited(table)).toBe(known.transfer.blockNumber - 1)
})

describe('after an audit that ended between recording a difference and lowering what is audited through', () => {
  const itemOf = ({ table }: IndexedTable) => ({ ...table, network: NETWORK }) as const

  test('nobody is told of audited blocks, and an audit of all blocks proves the difference gone', async () => {
    const table = await indexed()
    await table.audit()
    await recordDifference(known.transfer.blockNumber, itemOf(table))

    const { networks } = await createCheckpointReader(table.served)()
    expect(networks).toMatchObject([{ network: NETWORK }])
    expect(networks[0]?.auditedThrough).toBeUndefined()
    expect(await table.audit()).toMatchObject({ exitCode: 0 })
    expect((await table.state())?.differentBlock).toBeUndefined()
    expect(await audited(table)).toBe(known.lastFinal)
  })

  test('an audit of later blocks neither moves over the difference nor forgets it', async () => {
    const table = await indexed()
    await table.audit()
    const { auditedBlock: whole } = (await table.state()) ?? {}
    if (!whole) throw new Error('Nothing is audited')
    await recordDifference(known.transfer.blockNumber, itemOf(table))
    await lowerAuditedBlock({ ...whole, blockNumber: known.transfer.blockNumber + 2 }, itemOf(table))

    const later = await table.audit({ fromBlock: known.transfer.blockNumber + 3 })

    expect(later).toMatchObject({ exitCode: 0, movedTo: undefined })
    expect((await table.state())?.differentBlock).toBe(known.transfer.blockNumber)
  })

  test('a difference below the first indexed block, which an earlier version left, is no obstacle', async () => {
    const table = await indexed({ fromBlock: 3 })
    await engine.documents.send(
      new UpdateCommand({
        TableName: table.table.tableName,
        Key: indexStateKey(NETWORK),
        UpdateExpression: 'SET differentBlock = :two',
        ExpressionAttributeValues: { ':two': 2 },
      }),
    )

    await table.audit()

    expect((await table.state())?.differentBlock).toBeUndefined()
    expect(await audited(table)).toBe(known.lastFinal)
  })
})

test('an audit of a table that an indexer has not updated for a while vouches for the blocks that the table calls final', async () => {
  const table = await indexed()
  await known.chain.mineEmpty(3)

  const later = await table.audit()

  expect(later.movedTo).toMatchObject({ number: known.lastFinal })
  expect(await audited(table)).toBe(known.lastFinal)
})
