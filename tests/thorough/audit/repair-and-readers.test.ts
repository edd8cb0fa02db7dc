import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { itemsOf } from '../../../lib/store/format/item.ts'
import { REVISION } from '../../../lib/store/format/revision-item.ts'
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
import { type Interceptor, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { isWrite, lostAnswer } from '../../support/faults/faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { byId } from '../../support/records/by-id.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
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

const ofUser = (record: EventRecord) => ({ user: 'to' in record ? record.to : '' })

describe.each<[string, () => EventRecord]>([
  ['a transfer', () => known.transfer],
  ['an event with a long field', () => longOne()],
])('%s', (_, event) => {
  test.each<[string, (record: EventRecord) => EventRecord[]]>([
    ['an orphan of a higher block', record => [inBlock(record, 40)]],
    ['an orphan of a lower block', record => [{ ...inBlock(record, -2), createdAt: record.createdAt }]],
    ['a second copy under a later time', record => [timed(record, 50)]],
    ['a second copy under an earlier time', record => [timed(record, -2)]],
    ['two orphans', record => [inBlock(record, 40), inBlock(record, 41)]],
  ])('after the repair of %s every reader has the true event again', async (_, copies) => {
    const table = await indexedTable(known, engine)
    const scoped = createSimpleReader(changesFunction(table.served), { query: ofUser(event()) })
    for (const copy of copies(event())) await table.put([...itemsOf(copy).chunks, ...entriesOf(copy)])
    const late = await table.newReader()
    await scoped.catchUp()

    const repaired = await table.audit({ repair: true })

    expect(repaired).toMatchObject({ exitCode: 0, summary: { missing: [], extra: [event().id] } })
    expect(await table.events()).toEqual(itemsOfAll(known.truth))
    for (const reader of [table.reader, late, await table.newReader()]) {
      await reader.catchUp()
      expect(reader.records()).toEqual(byId(known.truth))
    }
    await scoped.catchUp()
    expect(scoped.records()).toContainEqual(event())
  })
})

function longOne(): EventRecord {
  const found = known.final.find(
    record => 'tokenIds' in record && 'to' in record && record.tokenIds.length > 100,
  )
  if (!found) throw new Error('No event is long')
  return found
}

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

describe('a table that no indexer has written', () => {
  const falseOne = () => inBlock(known.transfer, 40)

  async function loadedTable() {
    const tableName = await engine.createEventsTable()
    const events = [...known.final, falseOne()].filter(({ id }) => id !== known.batch.id)
    await writeEvents({ client: engine.client, tableName }, events)
    const served = { client: engine.reader, tableName }
    const newReader = () => createSimpleReader(changesFunction(served))
    const reader = newReader()
    await reader.catchUp()
    return {
      tableName,
      reader,
      newReader,
      audit: (more: Partial<Parameters<typeof auditChain>[0]> = {}) =>
        auditChain({
          ...{ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [known.chain.rpcUrl] },
          ...more,
        }),
    }
  }

  test('a repair that ends before its first write leaves the feed and the audit as they were', async () => {
    const { audit, newReader, reader } = await loadedTable()
    const before = reader.records()
    const stopped = new AbortController()
    const proxy = await startFaultProxy(engine.endpoint, async (request, forward) => {
      const isClaim = isWrite(request)
      const answer = await forward()
      if (isClaim) stopped.abort(new Error('stopped'))
      return answer
    })
    try {
      await expect(audit({ repair: true, endpoint: proxy.url, signal: stopped.signal })).rejects.toThrow(
        'stopped',
      )
    } finally {
      await proxy.stop()
    }

    for (const each of [reader, newReader()]) {
      await each.catchUp()
      expect(each.records()).toEqual(before)
    }
    expect(await audit()).toMatchObject({ exitCode: 1, summary: { missing: [known.batch.id] } })
    expect(await audit({ repair: true })).toMatchObject({ exitCode: 0 })
    for (const each of [reader, newReader()]) {
      await each.catchUp()
      expect(each.records()).toEqual(byId(known.final))
    }
  })

  test('a repair that is killed at any write is completed by the next one, and no reader loses an event', async () => {
    const { writes } = await dieAt(await loadedTable(), Number.POSITIVE_INFINITY)
    expect(writes).toBeGreaterThan(5)
    const all = Array.from({ length: writes }, (_, at) => at)
    // The last write releases the lease, after all differences are repaired.
    const deaths = IS_LONG_RUN ? all : [0, Math.floor(writes / 2), writes - 1]
    for (const at of deaths) {
      const table = await loadedTable()
      await dieAt(table, at)
      const between = table.newReader()
      await between.catchUp()

      // Without --to-block, because a repair's state is not an indexer's state.
      const next = await table.audit({ repair: true })
      expect({ at, exitCode: next.exitCode }).toEqual({ at, exitCode: 0 })
      for (const each of [table.reader, between, table.newReader()]) {
        await each.catchUp()
        expect({ at, records: each.records() }).toEqual({ at, records: byId(known.final) })
      }
    }
  })

  test('a repair of whose requests one has no answer ends a little later, and the feed goes on', async () => {
    const { audit, newReader, reader } = await loadedTable()
    let lost = 0
    const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
      const isFirst = String(request.headers['x-amz-target']).endsWith('BatchWriteItem') && lost++ === 0
      return isFirst ? lostAnswer(request, forward) : forward()
    })
    try {
      expect(await audit({ repair: true, endpoint: proxy.url, leaseMs: 2000 })).toMatchObject({ exitCode: 0 })
    } finally {
      await proxy.stop()
    }

    expect(lost).toBeGreaterThan(1)
    for (const each of [reader, newReader()]) {
      await each.catchUp()
      expect(each.records()).toEqual(byId(known.final))
    }
  })

  /** Runs a repair whose table stops answering at a write. The reader takes a turn before each write. */
  async function dieAt(
    { audit, reader }: Awaited<ReturnType<typeof loadedTable>>,
    last: number,
  ): Promise<{ writes: number }> {
    let writes = 0
    const killed = new AbortController()
    const die = () => {
      killed.abort(new Error('killed'))
      return 'reset' as const
    }
    const atWrite: Interceptor = async (request, forward) => {
      if (!isWrite(request)) return writes > last ? die() : forward()
      if (writes++ >= last) return die()
      if (last !== Number.POSITIVE_INFINITY) await reader.takeTurn()
      return forward()
    }
    const proxy = await startFaultProxy(engine.endpoint, atWrite)
    try {
      await audit({ repair: true, endpoint: proxy.url, signal: killed.signal }).catch(() => undefined)
    } finally {
      await proxy.stop()
    }
    return { writes }
  }
})

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
  const checkpoint = await chain.request('eth_getBlockByNumber', [`0x${lastFinal.toString(16)}`, false])
  const { hash: blockHash, timestamp } = checkpoint as { hash: string; timestamp: string }
  const Item = {
    ...indexStateKey(NETWORK),
    ...{ blockNumber: lastFinal, finalizedBlock: lastFinal, blockHash, timestamp: Number(timestamp) },
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
