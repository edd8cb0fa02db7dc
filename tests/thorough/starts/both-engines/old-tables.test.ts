import { randomUUID } from 'node:crypto'
import { createFreshness } from '../../../../lib/http/freshness.ts'
import type { Observer } from '../../../../lib/http/observer.ts'
import { acquireLease } from '../../../../lib/store/leases/acquire-lease.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../../lib/store/reading/read-checkpoints.ts'
import { ask } from '../../../support/http/ask.ts'
import { queryFunctions } from '../../../support/http/query-functions.ts'
import { runCommand } from '../../../support/programs/run-command.ts'
import { useTextFiles } from '../../../support/programs/text-files.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import { ndjson, rawLogOf } from '../../../support/records/raw-log-of.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { createPlainTable } from '../../../support/store/plain-table.ts'
import { storedItems } from '../../../support/store/stored-items.ts'

const engine = useEngine()
const writeText = useTextFiles()
const RECORDS = eventSetOf({ blocks: 3, events: 2 }, 5)
const OTHER_KEYS =
  'has keys that differ from those of this version, because an earlier version or another program created it. Create a new table, and load the events into it'

let tableName: string
beforeAll(async () => {
  tableName = `old-${randomUUID()}`
  await createPlainTable({ client: engine.client, tableName }, RECORDS)
})

test('no query is answered from an old table: each fails with 500, and the logs say why', async () => {
  const failures: unknown[] = []
  const observer: Observer = {
    answered: () => undefined,
    refused: () => undefined,
    failed: error => failures.push(error),
  }
  const table = { client: engine.reader, tableName }
  const handlers = queryFunctions({
    store: createDynamoEventStore(table),
    freshness: createFreshness(createCheckpointReader(table)),
    observer,
  })
  const queries = shapesOf(RECORDS)

  for (const [, request] of queries) {
    expect(await ask(handlers[request.endpoint], request, 'http-api')).toMatchObject({
      status: 500,
      headers: expect.not.objectContaining({ 'x-indexed-through': expect.anything() }),
    })
  }

  expect(failures).toHaveLength(queries.length)
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: 'table-format', message: `The table ${OTHER_KEYS}` })
  }
})

test('no indexer takes a lease on an old table', async () => {
  const scope = { contracts: 'any' as const, fromBlock: 0 }

  await expect(
    acquireLease({ client: engine.client, tableName, network: 'base', scope }),
  ).rejects.toMatchObject({ code: 'table-format', message: `The table ${tableName} ${OTHER_KEYS}` })
})

test.each([
  ['load', async () => [await writeText('logs.ndjson', ndjson(RECORDS.map(rawLogOf)))]],
  ['index-chain', async () => ['--network', 'base', '--rpc', 'http://127.0.0.1:9']],
  ['verify', async () => []],
  ['explain', async () => ['token-events?limit=1']],
  ['show', async () => ['all@base']],
])('%s refuses an old table in one line, and changes nothing', async (command, argsOf) => {
  const before = await storedItems(engine.client, tableName)

  const { code, errors } = await runCommand(command, [
    ...(await argsOf()),
    ...['--table', tableName, '--endpoint', engine.endpoint],
  ])

  expect({ code, errors }).toEqual({ code: 1, errors: `The table ${tableName} ${OTHER_KEYS}\n` })
  expect(await storedItems(engine.client, tableName)).toEqual(before)
})
