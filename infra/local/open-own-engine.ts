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
 * holds anything else than is wanted now, was never finished or can't be read, it is filled again.
 */
export async function openOwnEngine(options: OwnEngineOptions): Promise<string> {
  const { dataDir, fingerprint } = options
  const tables = path.join(dataDir, `${options.engine}-tables`)
  const note = path.join(dataDir, `${options.engine}-loaded`)
  const kept = !options.fresh && (await readFile(note, 'utf8').catch(() => undefined)) === fingerprint
  let engine = kept ? await openKept(options, tables) : undefined
  if (!engine) {
    // In this order: tables without the note are filled again, a note without tables would be a lie.
    await rm(note, { force: true })
    await rm(tables, { recursive: true, force: true })
    engine = await fillTables(options, tables)
    await writeFile(note, fingerprint)
  }
  return engine.endpoint
}

async function openKept(options: OwnEngineOptions, tables: string): Promise<Engine | undefined> {
  const engine = await start(options, tables)
  try {
    if (await describeTable(new DynamoDBClient(), TABLE_NAME)) {
      options.running.add(engine)
      return engine
    }
  } catch {
    // The files are damaged; what was in them can be loaded again.
  }
  await engine.stop()
  return undefined
}

async function fillTables(options: OwnEngineOptions, tables: string): Promise<Engine> {
  const { running } = options
  const scratch = options.engine === 'dynamodb-local' ? await fastFolder(options) : undefined
  if (scratch) {
    const removeScratch = () => rm(scratch, { recursive: true, force: true })
    running.whenStopped(removeScratch)
    await removeScratch()
  }
  const engine = await start(options, scratch ?? tables)
  running.add(engine)
  const client = new DynamoDBClient()
  await createTable({ client, tableName: TABLE_NAME })
  await options.fill(client)
  if (!scratch) return engine
  running.remove(engine)
  await engine.stop()
  await cp(scratch, tables, { recursive: true })
  await rm(scratch, { recursive: true, force: true })
  const final = await start(options, tables)
  running.add(final)
  return final
}

async function start(options: OwnEngineOptions, dataDir: string): Promise<Engine> {
  const engine = await startEngine({ engine: options.engine, dataDir })
  pointSdkAt(engine.endpoint, { named: false })
  return engine
}
