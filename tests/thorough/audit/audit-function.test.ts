import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { AUDIT } from '../../../infra/deploy/wings/audit.ts'
import type { NetworkAudit } from '../../../lib/audit/audit-network.ts'
import { createAuditHandler } from '../../../lib/audit/create-audit-handler.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { parseIndexConfig } from '../../../lib/ingest/indexer/index-config.ts'
import { acquireLease } from '../../../lib/store/leases/acquire-lease.ts'
import { entriesOf, type IndexedTable, useAuditedTables } from '../../support/audit/audited-table.ts'
import { startChain } from '../../support/chain/chain.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import type { Interceptor } from '../../support/faults/fault-proxy.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { lambdaContext } from '../../support/http/http-events.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { localClient } from '../../support/store/local-client.ts'

const { engine, known, startFaultProxy, indexed } = useAuditedTables()
const stopLater = useStops()

/** The attributes that the function's updates have named so far. */
const updated = new Set<string>()

function functionOver({ table }: IndexedTable, rpc: string[] = [known.chain.rpcUrl]) {
  const told: { audits: NetworkAudit[]; failures: unknown[]; differentBlock?: number | undefined } = {
    audits: [],
    failures: [],
  }
  const clock = createIdleClock()
  const client = localClient(engine.endpoint)
  client.middlewareStack.add(
    next => args => {
      const { UpdateExpression, Key, ExpressionAttributeNames } =
        args.input as Partial<UpdateItemCommandInput>
      const names = [...Object.keys(Key ?? {}), ...Object.values(ExpressionAttributeNames ?? {})]
      if (UpdateExpression) for (const name of names) updated.add(name)
      return next(args)
    },
    { name: 'watch', override: true },
  )
  const handler = createAuditHandler({
    readConfig: async () => parseIndexConfig(JSON.stringify({ polygon: { rpc }, base: { rpc } })),
    tableName: table.tableName,
    client: clock.watchClient(client),
    connect: url => clock.watchNode(connectNode(url, { retryCount: 0 })),
    observer: {
      audited: audit => told.audits.push(audit),
      failed: (_, error, differentBlock) => {
        told.failures.push(error)
        told.differentBlock = differentBlock
      },
    },
    clock,
  })
  const invoke = async (remainingMs = 300_000) => {
    told.audits = []
    const deadline = clock.now() + remainingMs
    await handler({}, lambdaContext({ getRemainingTimeInMillis: () => deadline - clock.now() }))
    return told.audits
  }
  return { told, clock, invoke }
}

const auditedBlock = async ({ state }: IndexedTable) => (await state())?.auditedBlock?.blockNumber

test('goes on behind what is audited up to finality, and passes over networks of which nothing is indexed', async () => {
  const table = await indexed()
  const { invoke } = functionOver(table)
  const { lastFinal, final } = known

  expect(await invoke()).toEqual([
    {
      ...{ network: 'polygon', first: 0, last: lastFinal, auditedThrough: lastFinal },
      ...{ blocks: lastFinal + 1, events: final.length },
      ...{ difference: undefined, differentBlock: undefined },
    },
  ])
  expect(await auditedBlock(table)).toBe(lastFinal)
  expect(await invoke()).toMatchObject([{ first: lastFinal + 1, auditedThrough: lastFinal, blocks: 0 }])
})

test('while nodes fail, the function still tells of the difference that it has found before', async () => {
  const table = await indexed()
  await table.remove(entriesOf(known.transfer))
  await functionOver(table).invoke()
  const proxy = await startFaultProxy(known.chain.rpcUrl, async () => 'reset')
  const failing = functionOver(table, [proxy.url])
  await expect(failing.invoke()).rejects.toThrow()
  expect(failing.told.differentBlock).toBe(known.transfer.blockNumber)

  await table.audit({ repair: true })
  expect(await functionOver(table).invoke()).toMatchObject([{ differentBlock: undefined }])
  expect((await table.state())?.differentBlock).toBeUndefined()
})

test('a difference in the first block leaves nothing audited, and is reported even without a checkpoint', async () => {
  const [first] = known.truth
  if (!first) throw new Error('No events')
  const table = await indexed({ fromBlock: first.blockNumber })
  await table.remove(entriesOf(first))

  const [audit] = await functionOver(table).invoke()

  expect(audit).toMatchObject({ auditedThrough: undefined, difference: { missing: [first.id] } })
  expect((await table.state())?.auditedBlock).toBeUndefined()
  // A killed repair of the first block leaves no checkpoint.
  const scope = { contracts: 'any', fromBlock: first.blockNumber } as const
  const lease = await acquireLease({ ...table.table, network: 'polygon', scope, isIndexer: false })
  await lease.deleteCheckpoint()
  await lease.end({ release: false })
  expect(await functionOver(table).invoke()).toMatchObject([{ blocks: 0, differentBlock: first.blockNumber }])
})

test('an audit with a node of another chain leaves the audited block, and the function audits what it doubted', async () => {
  const table = await indexed()
  const { invoke } = functionOver(table)
  await invoke()
  const { lastFinal } = known
  const other = stopLater(await startChain())
  await other.mineEmpty(await known.chain.head())
  // The range includes the other chain's first events, so the audit finds differences whenever that chain was started.
  await table.audit({ rpcUrls: [other.rpcUrl] })
  const { auditedBlock, differentBlock } = (await table.state()) ?? {}
  expect(auditedBlock?.blockNumber).toBe(lastFinal)
  expect(differentBlock).toBeLessThanOrEqual(lastFinal)

  expect(await invoke()).toMatchObject([
    { first: differentBlock, auditedThrough: lastFinal, differentBlock: undefined },
  ])
})

test('no difference is recorded while the nodes do not agree on the chain', async () => {
  const table = await indexed()
  const other = await startChain()
  await other.mineEmpty(await known.chain.head())
  const { invoke, told } = functionOver(table, [other.rpcUrl, known.chain.rpcUrl])
  await expect(invoke()).rejects.toThrow('has a different block with the number')
  await other.stop()

  expect(told).toMatchObject({ failures: [{ code: 'audit-stopped' }], differentBlock: undefined })
})

const withoutLastReceipt: Interceptor = changeReplies(({ method }, reply) =>
  method === 'eth_getBlockReceipts' && Array.isArray(reply.result) && reply.result.length > 0
    ? { ...reply, result: reply.result.slice(0, -1) }
    : reply,
)

test('an unproven block fails the invocation, and what is audited ends before it', async () => {
  const table = await indexed()
  const proxy = await startFaultProxy(known.chain.rpcUrl, withoutLastReceipt)
  const { invoke, told } = functionOver(table, [proxy.url])
  await expect(invoke()).rejects.toThrow(
    /^polygon: the audit cannot continue past block \d+, which is not proven: .* \(node 127\.0\.0\.1:\d+\)$/,
  )
  expect(told.failures).toMatchObject([{ code: 'audit-stopped' }])
  const audited = (await auditedBlock(table)) ?? -1
  expect(audited).toBeLessThan(known.truth[0]?.blockNumber ?? 0)
})

test('a run without time for a hundred blocks ends with what is done, and the next run goes on there', async () => {
  const table = await indexed()
  let batches = 0
  let mostBatches = 2
  const proxy = await startFaultProxy(known.chain.rpcUrl, async (request, forward) => {
    const isOfReceipts = request.body.includes('eth_getBlockReceipts')
    if (!isOfReceipts || batches++ < mostBatches) return forward()
    clock.hang()
    return 'hang'
  })
  const { invoke, clock } = functionOver(table, [proxy.url])
  const [first] = await invoke(90_000).catch(() => [])
  const audited = (await auditedBlock(table)) ?? -1
  expect(audited).toBeLessThan(known.lastFinal)
  expect(audited).toBeGreaterThanOrEqual(0)
  expect(first?.auditedThrough ?? audited).toBe(audited)

  mostBatches = Number.POSITIVE_INFINITY
  expect(await invoke()).toMatchObject([{ auditedThrough: known.lastFinal }])
})

test('all updates of these tests name only the attributes that the role lets the function name, and all of them', () => {
  const [, allowed = ''] = /"dynamodb:Attributes":(\[[^\]]*\])/.exec(JSON.stringify(AUDIT.role)) ?? []

  expect([...updated].sort()).toEqual(JSON.parse(allowed).sort())
})
