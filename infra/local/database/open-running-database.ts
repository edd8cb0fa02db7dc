import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as z from 'zod/mini'
import { explainFailure } from '../../../lib/kit/explain-failure.ts'
import { parseJson } from '../../../lib/kit/parse-json.ts'
import { describeTable } from '../../deploy/read-table-definition.ts'
import { createTable } from './create-table.ts'
import { type DatabaseOptions, type OpenedDatabase, pointSdkAt, TABLE_NAME } from './database.ts'
import { compareFingerprints } from './fingerprint.ts'

/** A file on this machine that records which events were loaded into the table of a running DynamoDB. */
const noteSchema = z.object({ tableId: z.string(), fingerprint: z.string(), complete: z.boolean() })

const DELETION_POLL_MS = 200

/**
 * Uses a DynamoDB that is already running. An existing table may belong to someone else, so it is served unchanged, and
 * only `fresh` removes it. If an earlier load of the same events was interrupted, loads them again. Throws if a load of
 * other events was interrupted, or if the user named files and the table has other events.
 */
export async function openRunningDatabase(
  options: DatabaseOptions & { endpoint: string },
): Promise<OpenedDatabase> {
  const { endpoint, fingerprint } = options
  pointSdkAt(endpoint, { named: true })
  const client = new DynamoDBClient()
  const noteFile = path.join(options.dataDir, 'endpoint-loaded')
  await checkAnswers(client, endpoint)
  if (options.fresh) await deleteTable(client)
  const found = await describeTable(client, TABLE_NAME)
  await createTable({ client, tableName: TABLE_NAME })
  const tableId = (await describeTable(client, TABLE_NAME))?.TableId ?? ''
  const note = await readNote(noteFile)
  const ours = found && note?.tableId === tableId ? note : undefined
  const kept = ours ? compareFingerprints(ours.fingerprint, fingerprint) : 'other events'
  if (!found || (kept === 'same' && !ours?.complete)) {
    const write = (complete: boolean) =>
      writeFile(noteFile, JSON.stringify({ tableId, fingerprint, complete }))
    await write(false)
    await options.fill(client)
    await write(true)
    return { endpoint }
  }
  if (ours?.complete === false || (options.eventsNamed && kept === 'other events')) {
    throw new Error(`The table ${TABLE_NAME} at ${endpoint} contains other events; use --fresh to replace it`)
  }
  return { endpoint, kept }
}

async function checkAnswers(client: DynamoDBClient, endpoint: string) {
  try {
    await describeTable(client, TABLE_NAME)
  } catch (error) {
    throw new Error(explainFailure(error, { endpoint, table: TABLE_NAME }), { cause: error })
  }
}

async function deleteTable(client: DynamoDBClient) {
  if (!(await describeTable(client, TABLE_NAME))) return
  await client.send(new DeleteTableCommand({ TableName: TABLE_NAME }))
  while (await describeTable(client, TABLE_NAME)) await delay(DELETION_POLL_MS)
}

async function readNote(file: string) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return noteSchema.safeParse(parseJson(text)).data
}
