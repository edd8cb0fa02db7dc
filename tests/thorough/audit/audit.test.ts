import type { AuditProgress } from '../../../lib/audit/audit-progress.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { auditChain } from '../../support/audit/audit-chain.ts'
import { entriesOf, NETWORK, oneOf, useAuditedTables } from '../../support/audit/audited-table.ts'
import { startChain } from '../../support/chain/chain.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { status } from '../../support/faults/faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { listenWith } from '../../support/http/listen.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { flipped } from '../../support/store/damaged-items.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const { engine, known, startFaultProxy, indexed } = useAuditedTables()
const stopLater = useStops()

test('audits of a part, of one contract, of a sample and above finality do not move what is audited through', async () => {
  const { audit, state } = await indexed()
  const head = await known.chain.head()

  const parts = [
    await audit({ fromBlock: 3 }),
    await audit({ contracts: known.chain.contracts.slice(0, 1) }),
    await audit({ sample: 20 }),
  ]
  expect(parts.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  expect((await state())?.auditedBlock).toBeUndefined()

  const above = await audit({ toBlock: head })
  expect(above).toMatchObject({ exitCode: 0, summary: { toBlock: head, events: known.truth.length } })
  expect((await state())?.auditedBlock).toMatchObject({ blockNumber: known.lastFinal })
})

test('a sample of all blocks finds what an audit of all finds that looks items up, and lowers the audited block', async () => {
  const table = await indexed()
  await table.audit()
  await table.remove(oneOf(known.transfer))
  await table.put(entriesOf(known.batch).slice(1, 2).map(flipped(30)))
  const found = { missing: [known.transfer.id], different: [known.batch.id], extra: [] }

  const { summary, exitCode, progress } = await table.audit({ sample: 1_000_000 })

  expect({ exitCode, summary }).toMatchObject({ exitCode: 1, summary: found })
  expect((await table.state())?.auditedBlock?.blockNumber).toBe(known.transfer.blockNumber - 1)
  expect((await table.audit({ lists: 'look-up' })).summary).toMatchObject(found)
  expect(progress.plan.sample).toHaveLength(known.lastFinal + 1)
  const few = await table.audit({ sample: 7 })
  expect([new Set(few.progress.plan.sample).size, few.progress.done]).toEqual([7, 7])
})

test('a service is audited over HTTP as its table is', async () => {
  const table = await indexed()
  const { served } = table
  const service = stopLater(await listenWith(createDynamoEventStore(served), createCheckpointReader(served)))
  const equal = await table.audit({ serviceUrl: service.baseUrl })
  expect(equal).toMatchObject({ exitCode: 0, summary: { events: known.final.length } })
  await table.remove(entriesOf(known.transfer))
  await table.put(entriesOf(known.falseOne))
  await table.put(entriesOf({ ...known.batch, operator: `0x${'ab'.repeat(20)}` } as EventRecord))

  const damaged = await table.audit({ serviceUrl: service.baseUrl })
  expect(damaged).toMatchObject({
    exitCode: 1,
    summary: { missing: [known.transfer.id], extra: [known.falseOne.id], different: [known.batch.id] },
  })
  const ofContract = await table.audit({
    serviceUrl: service.baseUrl,
    contracts: [known.transfer.address],
    sample: 1_000_000,
  })
  expect(ofContract.summary).toMatchObject({ missing: [known.transfer.id], extra: [known.falseOne.id] })
  await table.remove(entriesOf(known.falseOne))
  await table.put(entriesOf({ ...known.falseOne, createdAt: '2099-01-01T00:00:00.000Z' }))
  const timedLater = await table.audit({ serviceUrl: service.baseUrl })
  expect(timedLater.summary).toMatchObject({ extra: [known.falseOne.id] })
})

const otherHashOf = (first: number, last = first) =>
  changeReplies(({ method, params: [block] }, reply) =>
    method === 'eth_getBlockByNumber' && Number(block) >= first && Number(block) <= last && reply.result
      ? { ...reply, result: { ...(reply.result as object), hash: `0x${'12'.repeat(32)}` } }
      : reply,
  )

test('two nodes that know another last block leave the whole unproven, until they agree', async () => {
  const { audit } = await indexed()
  const proxy = await startFaultProxy(known.chain.rpcUrl, otherHashOf(known.lastFinal))

  const doubted = await audit({ rpcUrls: [known.chain.rpcUrl, proxy.url] })
  const doubts = [expect.stringContaining('a different block with the number')]
  expect(doubted).toMatchObject({ exitCode: 2, movedTo: undefined, progress: { isChecked: false, doubts } })

  const agreed = await audit({ begun: doubted.progress })
  expect(agreed).toMatchObject({ exitCode: 0, progress: { isChecked: true, doubts: [] } })
  expect(agreed.movedTo).toMatchObject({ number: known.lastFinal })
})

test('the table records a difference only after the nodes have agreed on its chain', async () => {
  const { audit, remove, state } = await indexed()
  const { blockNumber } = known.transfer
  await remove(entriesOf(known.transfer))
  const proxy = await startFaultProxy(known.chain.rpcUrl, otherHashOf(1, known.lastFinal - 1))
  const rpcUrls = [known.chain.rpcUrl, proxy.url]
  const stopped = new AbortController()
  let part: AuditProgress | undefined
  const onProgress = (progress: AuditProgress) => {
    if (progress.differences.length === 0) return
    part = JSON.parse(JSON.stringify(progress))
    stopped.abort(new Error('stopped'))
  }
  await expect(audit({ rpcUrls, onProgress, signal: stopped.signal })).rejects.toThrow('stopped')
  expect(await state()).not.toHaveProperty('differentBlock')

  expect(await audit({ rpcUrls, begun: part as unknown as AuditProgress })).toMatchObject({ exitCode: 1 })
  expect(await state()).toMatchObject({ differentBlock: blockNumber })
})

test('the nodes must agree on every block of a sample', async () => {
  const { audit } = await indexed()
  const { blockNumber } = known.transfer
  const proxy = await startFaultProxy(known.chain.rpcUrl, otherHashOf(blockNumber))
  const rpcUrls = [known.chain.rpcUrl, proxy.url]
  const whole = await audit({ rpcUrls })
  expect(whole.exitCode).toBe(0)

  const { exitCode, progress } = await audit({ rpcUrls, sample: 1_000_000 })
  expect(exitCode).toBe(2)
  expect(progress.doubts).toEqual([expect.stringContaining(`with the number ${blockNumber}`)])

  // Without the faulty node, the same audit requests the same blocks again.
  const agreed = await audit({ begun: progress })
  expect(agreed).toMatchObject({ exitCode: 0, progress: { plan: progress.plan, doubts: [] } })
})

test('a repair changes nothing if the nodes no longer agree on its blocks, although the audit is complete', async () => {
  const table = await indexed()
  await table.put(entriesOf(known.transfer).slice(0, 1).map(flipped(30)))
  const { progress } = await table.audit()
  expect(progress).toMatchObject({ isChecked: true, doubts: [], differences: [{ id: known.transfer.id }] })
  const before = await table.events()
  const other = stopLater(await startChain())
  await other.mineEmpty(await known.chain.head())

  const rpcUrls = [other.rpcUrl, known.chain.rpcUrl]
  const repair = table.audit({ rpcUrls, begun: progress, repair: true })
  await expect(repair).rejects.toThrow(
    'the repair stopped, because not every node confirms the audited blocks',
  )

  expect(await table.events()).toEqual(before)
})

test.each([1, 2])('a repair with %i nodes waits until a node that is down answers again', async count => {
  const { audit, remove, events } = await indexed()
  const before = await events()
  await remove(entriesOf(known.transfer))
  const { progress } = await audit()
  let failures = 0
  const { url } = await startFaultProxy(known.chain.rpcUrl, (request, forward) => {
    const isDown = request.body.includes(`"0x${known.transfer.blockNumber.toString(16)}"`) && failures++ < 20
    return isDown ? status(503)(request, forward) : forward()
  })

  const rpcUrls = [known.chain.rpcUrl, url].slice(-count)
  expect(await audit({ rpcUrls, begun: progress, repair: true })).toMatchObject({ exitCode: 0 })

  expect(failures).toBeGreaterThan(20)
  expect(await events()).toEqual(before)
})

test('a false event that is timed between two parts of an audit is found', async () => {
  const table = await indexed()
  const steps: AuditProgress[] = []
  await table.audit({ onProgress: progress => steps.push(progress) })
  const [part] = steps
  const createdAt = new Date((part?.last?.timestamp ?? 0) * 1000).toISOString()
  // The event sorts after the last block of the first part, and before the next block.
  await table.put(entriesOf({ ...known.falseOne, createdAt, blockNumber: 999_999_999 }))

  const rest = await table.audit({ begun: part as AuditProgress })
  expect(rest).toMatchObject({ exitCode: 1, summary: { extra: [known.falseOne.id] } })
})

test('a repair without an indexer writes no block that may still leave the chain, because nobody would remove it', async () => {
  const tableName = await engine.createEventsTable()
  const toBlock = await known.chain.head()
  const { left } = await auditChain({
    ...{ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [known.chain.rpcUrl] },
    ...{ toBlock, repair: true },
  })

  const { events } = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(events).toEqual(itemsOfAll(known.final))
  expect(new Set(left.map(({ fromBlock }) => fromBlock))).toEqual(new Set([toBlock]))
})

test('an index that was restarted and has no checkpoint yet has nothing to audit, and keeps its contracts', async () => {
  const [first, second] = known.chain.contracts as [string, string]
  const { table, audit } = await indexed({ contracts: [first] })
  const stop = new AbortController()
  await indexChain({
    ...{ endpoint: engine.endpoint, tableName: table.tableName, network: NETWORK },
    ...{ rpcUrls: [known.chain.rpcUrl], contracts: [second], restart: true },
    signal: stop.signal,
    onStart: () => stop.abort(new Error('Stopped')),
  })

  await expect(audit({ repair: true })).rejects.toMatchObject({
    code: 'nothing-to-audit',
    message: expect.stringContaining('and no block is indexed yet'),
  })
  const { summary } = await audit({ toBlock: known.lastFinal })
  expect(summary).toMatchObject({
    missing: known.final.filter(({ address }) => address === second).map(({ id }) => id),
    extra: [],
  })
})

test('an audit with too many differences, even in single lists, ends with an error, and keeps what it has found', async () => {
  const { audit, remove } = await indexed()
  const empty = { tableName: await engine.createEventsTable(), toBlock: known.lastFinal }
  const steps: AuditProgress[] = []

  const most = known.final.length - 1
  await expect(
    audit({ ...empty, mostDifferences: most, onProgress: step => steps.push(step) }),
  ).rejects.toThrow(`found more than ${most} differences`)
  expect(steps.at(-1)?.differences.length).toBeGreaterThan(most)
  expect((await audit({ ...empty, mostDifferences: most + 1 })).summary.missing).toHaveLength(most + 1)

  for (const record of known.final.slice(0, 3)) await remove(oneOf(record))
  await expect(audit({ mostDifferences: 2 })).rejects.toThrow('found more than 2 differences')
  expect((await audit({ mostDifferences: 3 })).summary.missing).toHaveLength(3)
})

test('events of other contracts than the indexed ones are neither missed nor false, and leave all audited', async () => {
  const [contract = '', other = ''] = known.chain.contracts
  const { audit, state, table } = await indexed({ contracts: [contract], fromBlock: 2 })
  await audit()
  expect(await audit({ contracts: [other] })).toMatchObject({ exitCode: 1 })
  expect((await state())?.auditedBlock).toMatchObject({ blockNumber: known.lastFinal })
  await writeEvents(
    table,
    known.truth.filter(({ address }) => address !== contract),
  )

  const { summary, exitCode } = await audit()

  expect(exitCode).toBe(0)
  expect(summary).toMatchObject({ fromBlock: 2, missing: [], extra: [], different: [] })
})
