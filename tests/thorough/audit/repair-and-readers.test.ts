import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { itemsOf } from '../../../lib/store/format/item.ts'
import { REVISION } from '../../../lib/store/format/revision-item.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { auditChain } from '../../support/audit/audit-chain.ts'
import {
  entriesOf,
  indexedTable,
  NETWORK,
  oneOf,
  useAuditedChain,
} from '../../support/audit/audited-table.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { changesFunction } from '../../support/changes/changes-function.ts'
import { createSimpleReader } from '../../support/changes/simple-reader.ts'
import { startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { isWrite, lostAnswer, operationOf } from '../../support/faults/faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { byId } from '../../support/records/by-id.ts'
import { useEngine } from '../../support/store/engine.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const known = useAuditedChain()

/** The same log in another block: the same id at another place. */
const inBlock = (record: EventRecord, blocksLater: number): EventRecord => ({
  ...record,
  blockNumber: record.blockNumber + blocksLater,
  blockHash: `0x${'0f'.repeat(32)}`,
  createdAt: new Date(Date.parse(record.createdAt) + 1000 * blocksLater).toISOString(),
})

const timed = (record: EventRecord, secondsLater: number): EventRecord => ({
  ...record,
  createdAt: new Date(Date.parse(record.createdAt) + 1000 * secondsLater).toISOString(),
})

describe.each(['a transfer', 'an event with a long field'])('%s', name => {
  const isLong = (record: EventRecord) =>
    'to' in record && 'tokenIds' in record && record.tokenIds.length > 100
  const event = () => (name === 'a transfer' ? known.transfer : (known.final.find(isLong) as EventRecord))

  test.each<[string, (record: EventRecord) => EventRecord[]]>([
    ['an orphan of a higher block', record => [inBlock(record, 40)]],
    ['an orphan of a lower block', record => [{ ...inBlock(record, -2), createdAt: record.createdAt }]],
    ['a second copy under a later time', record => [timed(record, 50)]],
    ['a second copy under an earlier time', record => [timed(record, -2)]],
    ['two orphans', record => [inBlock(record, 40), inBlock(record, 41)]],
  ])('after the repair of %s every reader has the true event again', async (_, copies) => {
    const table = await indexedTable(known, engine)
    for (const copy of copies(event())) await table.put([...itemsOf(copy).chunks, ...entriesOf(copy)])
    const late = await table.newReader()

    const repaired = await table.audit({ repair: true })

    expect(repaired).toMatchObject({ exitCode: 0, summary: { missing: [], extra: [event().id] } })
    expect(await table.events()).toEqual(itemsOfAll(known.truth))
    for (const reader of [table.reader, late]) {
      await reader.catchUp()
      expect(reader.records()).toEqual(byId(known.truth))
    }
  })
})

test('an audit of a part that removes an orphan sends readers back to a true event below the part', async () => {
  const table = await indexedTable(known, engine)
  await table.put(entriesOf(inBlock(known.transfer, 40)))
  const late = await table.newReader()

  await table.audit({ repair: true, fromBlock: known.transfer.blockNumber + 20 })

  for (const reader of [table.reader, late]) {
    await reader.catchUp()
    expect(reader.records()).toEqual(byId(known.truth))
  }
})

test('a copy in a single list costs no reader the true event', async () => {
  const table = await indexedTable(known, engine)
  await table.put(oneOf(inBlock(known.transfer, 40)))

  await table.audit({ repair: true })

  expect(await table.events()).toEqual(itemsOfAll(known.truth))
  await table.reader.catchUp()
  expect(table.reader.records()).toEqual(byId(known.truth))
})

test.each([-2, 50])(
  'a load with times that are %i s off leaves no time that hides events from a span of blocks, once repaired',
  async secondsLater => {
    const table = await indexedTable(known, engine)
    const { blockNumber } = known.transfer
    const copy = timed(known.transfer, secondsLater)
    await table.put(entriesOf(copy))
    const times = [{ blockNumber, timestamp: Date.parse(copy.createdAt) / 1000 }]
    await putBlockTimes(NETWORK, times, {
      ...table.table,
      client: DynamoDBDocumentClient.from(engine.client),
    })

    await table.audit({ repair: true })

    const store = createDynamoEventStore(table.served)
    for (const name of ['fromBlock', 'toBlock']) {
      const parameters: [string, string][] = [
        ['network', NETWORK],
        [name, String(blockNumber)],
        ['limit', '500'],
      ]
      const { records } = await answerQuery({ endpoint: 'token-events', parameters }, { store })
      expect(records).toContainEqual(known.transfer)
    }
  },
)

test('a repair of an indexed network that ends before its first write leaves the network at rest', async () => {
  const table = await indexedTable(known, engine)
  await table.remove(entriesOf(known.transfer))
  const stopped = new AbortController()
  const proxy = await startFaultProxy(engine.endpoint, async (request, forward) => {
    const answer = await forward()
    if (isWrite(request)) stopped.abort(new Error('stopped'))
    return answer
  })
  try {
    await expect(table.audit({ repair: true, endpoint: proxy.url, signal: stopped.signal })).rejects.toThrow(
      'stopped',
    )
  } finally {
    await proxy.stop()
  }

  // Adds an event above the checkpoint of the network, whose indexer is not running.
  const above = { ...known.falseOne, blockNumber: 10_000, createdAt: '2090-01-01T00:00:00.000Z' }
  await table.put(entriesOf(above))
  await table.reader.catchUp()
  expect(table.reader.records().map(({ id }) => id)).toContain(above.id)
})

describe('a table that no indexer has written', () => {
  /** A table without one event of the chain. */
  async function loadedTable() {
    const tableName = await engine.createEventsTable()
    const stored = known.final.filter(({ id }) => id !== known.batch.id)
    await writeEvents({ client: engine.client, tableName }, stored)
    const place = { endpoint: engine.endpoint, tableName, network: NETWORK } as const
    const repair = (more: Partial<Parameters<typeof auditChain>[0]> = {}) =>
      auditChain({ ...place, rpcUrls: [known.chain.rpcUrl], repair: true, ...more })
    const read = async () => {
      const reader = createSimpleReader(changesFunction({ client: engine.reader, tableName }))
      await reader.catchUp()
      return reader.records()
    }
    return { repair, read }
  }

  test('a repair that is killed before it releases its lease holds up no reader for good', async () => {
    const { repair, read } = await loadedTable()
    const killed = new AbortController()
    const proxy = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
      if (body.includes('":leased":{"BOOL":false}')) killed.abort(new Error('killed'))
      return killed.signal.aborted ? 'reset' : forward()
    })
    await repair({ endpoint: proxy.url, signal: killed.signal }).catch(() => undefined)
    await proxy.stop()
    expect(killed.signal.aborted).toBe(true)

    expect(await repair()).toMatchObject({ exitCode: 0, summary: { missing: [] } })
    expect(await read()).toEqual(byId(known.final))
  })

  test('a repair of whose requests one has no answer ends a little later, and the feed goes on', async () => {
    const { repair, read } = await loadedTable()
    let batches = 0
    const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
      const isFirst = operationOf(request) === 'BatchWriteItem' && batches++ === 0
      return isFirst ? lostAnswer(request, forward) : forward()
    })
    try {
      expect(await repair({ endpoint: proxy.url, leaseMs: 2000 })).toMatchObject({ exitCode: 0 })
    } finally {
      await proxy.stop()
    }

    expect(batches).toBeGreaterThan(1)
    expect(await read()).toEqual(byId(known.final))
  })
})

test('an indexer that starts where a repair wrote without an index begins where it is told to', async () => {
  const tableName = await engine.createEventsTable()
  const place = {
    endpoint: engine.endpoint,
    tableName,
    network: NETWORK,
    rpcUrls: [known.chain.rpcUrl],
  } as const
  const { address } = known.transfer
  await auditChain({ ...place, repair: true, contracts: [address], fromBlock: known.transfer.blockNumber })

  const { first } = await indexChain({ ...place, contracts: [address] })

  expect(first).toBeLessThan(known.transfer.blockNumber)
})

test('an indexer of all contracts goes on where another program ended, after a repair of one contract', async () => {
  const { chain, final, lastFinal, transfer } = known
  const tableName = await engine.createEventsTable()
  await writeEvents(
    { client: engine.client, tableName },
    final.filter(({ id }) => id !== transfer.id),
  )
  const { hash: blockHash, timestamp } = await chain.block(lastFinal)
  const Item = {
    ...indexStateKey(NETWORK),
    ...{ blockNumber: lastFinal, finalizedBlock: lastFinal, blockHash, timestamp },
  }
  await DynamoDBDocumentClient.from(engine.client).send(new PutCommand({ TableName: tableName, Item }))
  const place = { endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] } as const
  const audited = { contracts: [transfer.address], fromBlock: transfer.blockNumber, toBlock: lastFinal }
  expect(await auditChain({ ...place, ...audited, repair: true })).toMatchObject({ exitCode: 0 })

  const { first } = await indexChain(place)

  expect(first).toBe(lastFinal + 1)
})

test('a repair of the first block that is killed does not forget that there is a difference', async () => {
  const table = await indexedTable(known, engine, { fromBlock: 1 })
  const first = known.truth.find(({ blockNumber }) => blockNumber === 1)
  if (!first) throw new Error('The first block has no event')
  await table.remove(entriesOf(first))
  const killed = new AbortController()
  const proxy = await startFaultProxy(engine.endpoint, async (request, forward) => {
    const isEntry = request.body.includes(`:${REVISION}`)
    if (isEntry) killed.abort(new Error('killed'))
    return isEntry ? 'reset' : forward()
  })
  const audit = table.audit({ repair: true, endpoint: proxy.url, signal: killed.signal })
  await expect(audit).rejects.toThrow()
  await proxy.stop()

  expect(await table.state()).toMatchObject({ checkpoint: undefined, differentBlock: 1 })
})
