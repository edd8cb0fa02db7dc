/** The process that `startEngine` starts. Runs one engine until the parent process ends. */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { argv, exit } from 'node:process'
import { promisify } from 'node:util'
import { listenAt } from '../processes/listen-at.ts'
import { readRowsAtOnce } from './read-rows-at-once.ts'
import { runDynamoDbLocal } from './run-dynamodb-local.ts'
import type { EngineMessage, EngineOptions, EngineRun } from './start-engine.ts'
import { writeBatchesWhole } from './write-batches-whole.ts'

const RUNNERS = { dynalite: runDynalite, 'dynamodb-local': runDynamoDbLocal }

const { engine, ...options } = JSON.parse(argv[2] ?? '') as EngineOptions

const stopping = new AbortController()
process.once('disconnect', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())

const tell = (message: EngineMessage) =>
  new Promise<void>(resolve => process.send?.(message, () => resolve()) ?? resolve())

try {
  await RUNNERS[engine]({
    ...options,
    signal: stopping.signal,
    onReady: endpoint => void tell({ endpoint }),
  })
  exit(0)
} catch (error) {
  await tell({ failure: error instanceof Error ? error.message : String(error) })
  exit(1)
}

/**
 * Runs dynalite in this process until the signal is aborted. Resolves when dynalite's files are closed. Replaces
 * dynalite's functions for writing and reading, because without the replacements, client and engine together need 1.2
 * to 1.4 times as much CPU time to write 1,500 events and to read 20,000 rows.
 */
async function runDynalite({ dataDir, port = 0, signal, onReady }: EngineRun): Promise<void> {
  if (dataDir) await mkdir(dataDir, { recursive: true })
  readRowsAtOnce()
  writeBatchesWhole()
  const { default: dynalite } = await import('dynalite')
  const server = dynalite({ ...(dataDir && { path: dataDir }), createTableMs: 0, deleteTableMs: 0 })
  // Idle connections stay open, because otherwise, on a busy machine, a client could reuse a connection just as the
  // engine closes it.
  server.keepAliveTimeout = 0
  const host = '127.0.0.1'
  onReady(`http://${host}:${await listenAt(server, { port, host })}`)
  if (!signal.aborted) await once(signal, 'abort')
  const closed = promisify(server.close.bind(server))()
  server.closeAllConnections()
  await closed
}
