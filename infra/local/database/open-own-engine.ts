import { createHash } from 'node:crypto'
import { cp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describeTable } from '../../deploy/read-table-definition.ts'
import { type Engine, type EngineOptions, startEngine } from '../engine/start-engine.ts'
import type { RunningParts } from '../processes/running-parts.ts'
import { createTable } from './create-table.ts'
import { type DatabaseOptions, type OpenedDatabase, pointSdkAt, TABLE_NAME } from './database.ts'
import { compareFingerprints } from './fingerprint.ts'

const IN_MEMORY = '/dev/shm'
/**
 * DynamoDB Local's file is about 20 times as large as the loaded logs, and filling it in memory takes twice its size.
 */
const GROWTH = 40

interface OwnEngineOptions extends DatabaseOptions, Pick<EngineOptions, 'engine' | 'port'> {
  /** The size of the files to load, in bytes. */
  bytes: number
  running: RunningParts
}

/**
 * Starts an engine with the data of an earlier start, or fills a new table. Only `fresh` discards the data of a
 * completed load. Without `fresh`, throws if the data is unreadable, or differs from the files that the user named.
 */
export async function openOwnEngine(options: OwnEngineOptions): Promise<OpenedDatabase> {
  const { dataDir, fingerprint } = options
  const tables = path.join(dataDir, `${options.engine}-tables`)
  const note = path.join(dataDir, `${options.engine}-loaded`)
  const loaded = options.fresh ? undefined : await readNote(note)
  if (loaded !== undefined) {
    const kept = compareFingerprints(loaded, fingerprint)
    if (options.eventsNamed && kept === 'other events') {
      throw new Error(`The table in ${tables} contains other events; use --fresh to replace it`)
    }
    const { endpoint } = await openKept(options, tables)
    return { endpoint, kept }
  }
  // The note is a file with the fingerprint of the loaded data. The note is removed before the tables, and written only
  // after the new tables are filled, so tables without a note are incomplete.
  await rm(note, { force: true })
  await rm(tables, { recursive: true, force: true })
  const { endpoint } = await fillTables(options, tables)
  await writeFile(note, fingerprint)
  return { endpoint }
}

/** Undefined if no load has completed. */
async function readNote(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Can't read ${file}: ${(error as Error).message}`, { cause: error })
  }
}

async function openKept(options: OwnEngineOptions, tables: string): Promise<Engine> {
  const engine = await start(options, tables)
  try {
    // If an engine cannot read its files and ends, its own error is more helpful than a refused connection.
    const end = await Promise.race([engine.ended, checkTable(new DynamoDBClient())])
    if (end) throw new Error(end)
  } catch (error) {
    await engine.stop()
    const reason = (error as Error).message.replace(/\.$/, '')
    throw new Error(`Can't use the data in ${tables}: ${reason}; use --fresh to replace the data`, {
      cause: error,
    })
  }
  options.running.add(engine)
  return engine
}

async function checkTable(client: DynamoDBClient) {
  const table = await describeTable(client, TABLE_NAME)
  if (table?.TableStatus !== 'ACTIVE') throw new Error(`the table ${TABLE_NAME} is missing or incomplete`)
  // The table exists, so this call only compares the table's keys.
  await createTable({ client, tableName: TABLE_NAME })
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

async function start({ engine: name, port = 0 }: OwnEngineOptions, dataDir: string): Promise<Engine> {
  const engine = await startEngine({ engine: name, port, dataDir })
  pointSdkAt(engine.endpoint, { named: false })
  return engine
}

/**
 * DynamoDB Local waits for the disk at every write, so filling a table takes seconds in memory, but minutes on a disk.
 * Returns a folder in memory, always the same one for the same `dataDir`, or undefined if no memory file system has
 * enough free space.
 */
export async function fastFolder(options: { dataDir: string; bytes: number }): Promise<string | undefined> {
  const room = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (room < options.bytes * GROWTH) return undefined
  const name = createHash('sha256').update(options.dataDir).digest('hex').slice(0, 16)
  return path.join(IN_MEMORY, `blockchain-events-${name}`)
}
