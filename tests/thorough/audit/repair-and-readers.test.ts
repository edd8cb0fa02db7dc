import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { activity } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { REVISION } from '../../../lib/store/format/revision-item.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { auditChain } from '../../support/audit/audit-chain.ts'
import { entriesOf, indexedTable, NETWORK, useAuditedTables } from '../../support/audit/audited-table.ts'
import { createSimpleReader } from '../../support/audit/simple-reader.ts'
import { startChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { changesFunction } from '../../support/changes/changes-function.ts'
import { jsonAnswer } from '../../support/faults/faults.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { byId } from '../../support/records/by-id.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const { engine, known, startFaultProxy, indexed } = useAuditedTables()
const stopLater = useStops()

const placeOf = (tableName: string, { chain }: Pick<typeof known, 'chain'> = known) =>
  ({ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] }) as const

const RELEASE = '":leased":{"BOOL":false}'

/** Kills a program when it sends the table a request that contains this text. */
async function killAt(text: string) {
  const killed = new AbortController()
  const { url: endpoint } = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
    if (body.includes(text)) killed.abort(new Error('killed'))
    return killed.signal.aborted ? 'reset' : forward()
  })
  return { endpoint, signal: killed.signal }
}

async function expectToRead(tableName: string, records: readonly EventRecord[]) {
  const reader = createSimpleReader(changesFunction({ client: engine.reader, tableName }))
  await reader.catchUp()
  expect(reader.records()).toEqual(byId(records))
}

test('an audit of a part that removes an orphan sends readers back to a true event below the part, even if the index still lacks it', async () => {
  const table = await indexed()
  const { url: endpoint } = await startFaultProxy(engine.endpoint, async ({ body }, forward) =>
    body.includes('"byTransaction"') ? jsonAnswer(200, { Items: [], Count: 0 }) : forward(),
  )
  const { transfer } = known
  const createdAt = new Date(Date.parse(transfer.createdAt) + 40_000).toISOString()
  // The same log in another block has the same id, but another place in the order of events.
  const orphan = { ...transfer, blockNumber: transfer.blockNumber + 40, blockHash: `0x${'0f'.repeat(32)}` }
  await table.put(entriesOf({ ...orphan, createdAt }))
  const late = await table.newReader()

  await table.audit({ repair: true, fromBlock: transfer.blockNumber + 20, endpoint })

  for (const reader of [table.reader, late]) {
    await reader.catchUp()
    expect(reader.records()).toEqual(byId(known.truth))
  }
})

test.each([-2, 50])('no stored time hides events after a repair of times %i s off', async secondsLater => {
  const table = await indexed()
  const { blockNumber } = known.transfer
  const createdAt = new Date(Date.parse(known.transfer.createdAt) + 1000 * secondsLater).toISOString()
  const copy = { ...known.transfer, createdAt }
  await table.put(entriesOf(copy))
  const times = [{ blockNumber, timestamp: Date.parse(copy.createdAt) / 1000 }]
  await putBlockTimes(NETWORK, times, { ...table.table, client: engine.documents })

  await table.audit({ repair: true })

  const store = createDynamoEventStore(table.served)
  for (const name of ['fromBlock', 'toBlock']) {
    const asked = tokenEvents(`network=${NETWORK}&${name}=${blockNumber}&limit=500`)
    const { records } = await answerQuery(queryInputOf(asked), { store })
    expect(records).toContainEqual(known.transfer)
  }
})

test('a repair that is killed before it releases its lease stops no reader for good, even if no indexer runs and the table refuses the next release for a moment', async () => {
  const tableName = await engine.createEventsTable(known.final.filter(({ id }) => id !== known.batch.id))
  const repair = { ...placeOf(tableName), repair: true }
  const killing = await killAt(RELEASE)
  await auditChain({ ...repair, ...killing }).catch(() => undefined)
  expect(killing.signal.aborted).toBe(true)
  let refusals = 0
  const { url: endpoint } = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
    if (!body.includes(RELEASE) || refusals === 5) return forward()
    refusals += 1
    return 'reset'
  })

  expect(await auditChain({ ...repair, endpoint })).toMatchObject({ exitCode: 0, summary: { missing: [] } })

  expect(refusals).toBe(5)
  await expectToRead(tableName, known.final)
})

test('a repair of the first indexed block that fails says that it has deleted the checkpoint', async () => {
  const [first] = known.final
  if (!first) throw new Error('No events')
  const table = await indexed({ fromBlock: first.blockNumber, confirmations: 'finalized' })
  await table.remove(entriesOf(first))
  const told: unknown[] = []
  const onLowered = (checkpoint?: object) => void told.push(checkpoint ?? 'deleted')

  const repair = table.audit({ repair: true, onLowered, ...(await killAt(`:${REVISION}`)) })

  await expect(repair).rejects.toThrow()
  expect(told).toEqual(['deleted'])
  expect(await table.state()).toMatchObject({ checkpoint: undefined })
})

test('a repair that is stopped while the checkpoint moves down is not at rest, because the checkpoint may have moved', async () => {
  const table = await indexed()
  await table.remove(entriesOf(known.transfer))
  const stopping = new AbortController()
  const { url: endpoint } = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
    const answer = await forward()
    if (body.includes('NOT (#auditedBlock')) stopping.abort(new Error('stopped'))
    return answer
  })

  await expect(table.audit({ repair: true, endpoint, signal: stopping.signal })).rejects.toThrow()

  const checkpoint = expect.objectContaining({ blockNumber: known.transfer.blockNumber - 1 })
  expect(await table.state()).toMatchObject({ checkpoint, leased: false, atRest: false })
})

test('an indexer of all contracts goes on where another program ended, after a repair of one contract', async () => {
  const { chain, final, lastFinal, transfer } = known
  const tableName = await engine.createEventsTable(final.filter(({ id }) => id !== transfer.id))
  const { hash: blockHash, timestamp } = await chain.block(lastFinal)
  const Item = {
    ...indexStateKey(NETWORK),
    ...{ blockNumber: lastFinal, finalizedBlock: lastFinal, blockHash, timestamp },
  }
  await engine.documents.send(new PutCommand({ TableName: tableName, Item }))
  const audited = { contracts: [transfer.address], fromBlock: transfer.blockNumber, toBlock: lastFinal }
  const repair = { ...placeOf(tableName), ...audited, repair: true }
  expect(await auditChain(repair)).toMatchObject({ exitCode: 0 })

  const { first } = await indexChain(placeOf(tableName))

  expect(first).toBe(lastFinal + 1)
})

test('a repair that removes events of orphaned blocks leaves the replacing blocks to the indexer', async () => {
  const chain = stopLater(await startChain())
  const [first = [], second = []] = activity(chain.users, 0)
  const tableName = await engine.createEventsTable()
  const target = placeOf(tableName, { chain })
  for (const calls of [first, second, first, second]) await chain.mine(calls)
  await indexChain(target)
  const ancestor = (await chain.head()) - 2
  await chain.request('anvil_rollback', [2])
  // The new blocks have other times, so the audit finds the orphaned events by their times alone.
  await chain.request('evm_increaseTime', [60])
  for (const calls of [second, first]) await chain.mine(calls)

  let lowered: number | undefined
  const onLowered = (checkpoint?: { blockNumber: number }) => {
    lowered = checkpoint?.blockNumber
  }
  await auditChain({ ...target, toBlock: ancestor + 2, repair: true, onLowered })

  expect(lowered).toBe(ancestor)
  const { checkpoint } = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(checkpoint?.blockNumber).toBe(ancestor)
  await indexChain(target)
  const { events } = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(events).toEqual(itemsOfAll(await chainEvents(chain, NETWORK)))
})

test('a repair that meets a reorganisation and is killed leaves no event of an orphaned block', async () => {
  const chain = stopLater(await startChain())
  const [first = [], second = []] = activity(chain.users, 0)
  for (const calls of [first, second, first, second]) await chain.mine(calls)
  const table = await indexedTable({ chain }, engine)
  const head = await chain.head()
  const newest = (await chainEvents(chain, NETWORK)).filter(({ blockNumber }) => blockNumber === head)
  await table.remove(newest.flatMap(entriesOf))
  const killed = new AbortController()
  let isReorganised = false
  const proxy = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
    if (body.includes(`:${REVISION}`)) killed.abort(new Error('killed'))
    // By now, the repair has read the differing block from the chain, and is looking for a missing event in the table.
    const [, from, to] = /":first":\{"S":"(.*?)"\}.*":last":\{"S":"(.*?)"\}/.exec(body) ?? []
    if (!isReorganised && from !== undefined && from === to) {
      isReorganised = true
      await chain.request('anvil_rollback', [2])
      await chain.request('evm_increaseTime', [60])
      for (const calls of [second, first]) await chain.mine(calls)
    }
    return killed.signal.aborted ? 'reset' : forward()
  })

  const audit = table.audit({ toBlock: head, repair: true, endpoint: proxy.url, signal: killed.signal })
  await expect(audit).rejects.toThrow()

  expect(isReorganised).toBe(true)
  const { tableName } = table.table
  const place = { endpoint: engine.endpoint, tableName, network: NETWORK } as const
  await indexChain({ ...place, rpcUrls: [chain.rpcUrl] })
  expect(await table.events()).toEqual(itemsOfAll(await chainEvents(chain, NETWORK)))
})

test('readers of final events get what a killed repair meant to store, even if an indexer of final blocks stores it', async () => {
  const indexing = { confirmations: 'finalized' } as const
  const table = await indexed(indexing)
  const { final, batch } = known
  const newest = final.filter(({ blockNumber }) => blockNumber >= batch.blockNumber)
  await table.remove(newest.flatMap(entriesOf))
  const changes = changesFunction(table.served)
  const reader = createSimpleReader((payload, context) => {
    const { query } = payload as { query: object }
    return changes({ query: { ...query, finalized: true } }, context)
  })
  await reader.catchUp()
  await expect(table.audit({ repair: true, ...(await killAt(`:${REVISION}`)) })).rejects.toThrow()

  await indexChain({ ...placeOf(table.table.tableName), ...indexing })

  await reader.catchUp()
  expect(reader.records()).toEqual(byId(final))
})
