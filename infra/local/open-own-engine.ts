import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { pointSdkAt } from './aws-environment.ts'
import { createTable, describeTable } from './create-table.ts'
import { type DatabaseOptions, TABLE_NAME } from './database.ts'
import { type Engine, type EngineName, startEngine } from './engine.ts'
import { fastFolder } from './fast-folder.ts'
import type { RunningParts } from './running-parts.ts'

interface OwnEngineOptions extends DatabaseOptions {
  engine: EngineName
  /** The size of what the table is to hold. */
  bytes: number
  running: RunningParts
}

/**
 * Starts an engine on what an earlier start kept in the folder, and tells where it answers. Where that
 * holds anything else than is wanted now, or was never finished, it is thrown away and filled again.
 */
export async function openOwnEngine(options: OwnEngineOptions): Promise<string> {
  const { dataDir, fingerprint } = options
  const tables = path.join(dataDir, `${options.engine}-tables`)
  const note = path.join(dataDir, `${options.engine}-loaded`)
  const kept = !options.fresh && (await readFile(note, 'utf8').catch(() => undefined)) === fingerprint
  if (kept) {
    const engine = await start(options, tables)
    if (await describeTable(new DynamoDBClient(), TABLE_NAME)) return engine.endpoint
    await stop(options, engine)
  }
  // In this order: tables without the note are filled again, a note without tables would be a lie.
  await rm(note, { force: true })
  await rm(tables, { recursive: true, force: true })
  const engine = await fillTables(options, tables)
  await writeFile(note, fingerprint)
  return engine.endpoint
}

async function fillTables(options: OwnEngineOptions, tables: string): Promise<Engine> {
  const scratch = options.engine === 'dynamodb-local' ? await fastFolder(options) : undefined
  if (scratch) options.running.whenStopped(() => rm(scratch, { recursive: true, force: true }))
  const engine = await start(options, scratch ?? tables)
  const client = new DynamoDBClient()
  await createTable({ client, tableName: TABLE_NAME })
  await options.fill(client)
  if (!scratch) return engine
  await stop(options, engine)
  await cp(scratch, tables, { recursive: true })
  await rm(scratch, { recursive: true, force: true })
  return start(options, tables)
}

async function start({ engine: name, running }: OwnEngineOptions, dataDir: string): Promise<Engine> {
  const engine = await startEngine({ engine: name, dataDir })
  running.add(engine)
  pointSdkAt(engine.endpoint, { named: false })
  return engine
}

async function stop({ running }: OwnEngineOptions, engine: Engine) {
  running.remove(engine)
  await engine.stop()
}
