/** The process that `startEngine` starts. Runs one engine until the parent process ends. */
import { argv, exit } from 'node:process'
import { runDynalite } from './run-dynalite.ts'
import { runDynamoDbLocal } from './run-dynamodb-local.ts'
import type { EngineMessage, EngineOptions } from './start-engine.ts'

const RUNNERS = { dynalite: runDynalite, 'dynamodb-local': runDynamoDbLocal }

const { engine, dataDir, port = 0 } = JSON.parse(argv[2] ?? '') as EngineOptions

const stopping = new AbortController()
process.once('disconnect', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())

const tell = (message: EngineMessage) =>
  new Promise<void>(resolve => process.send?.(message, () => resolve()) ?? resolve())

try {
  await RUNNERS[engine]({
    dataDir,
    port,
    signal: stopping.signal,
    onReady: endpoint => void tell({ endpoint }),
  })
  exit(0)
} catch (error) {
  await tell({ failure: error instanceof Error ? error.message : String(error) })
  exit(1)
}
