import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { EngineRun } from './engine-run.ts'
import { readRowsAtOnce } from './read-rows-at-once.ts'
import { writeBatchesWhole } from './write-batches-whole.ts'

/** Runs dynalite in this process until the signal; resolves when its files are closed. */
export async function runDynalite({ dataDir, signal, onReady }: EngineRun): Promise<void> {
  if (dataDir) await mkdir(dataDir, { recursive: true })
  readRowsAtOnce()
  writeBatchesWhole()
  const { default: dynalite } = await import('dynalite')
  const server = dynalite({ ...(dataDir && { path: dataDir }), createTableMs: 0, deleteTableMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onReady(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  if (!signal.aborted) await once(signal, 'abort')
  const closed = promisify(server.close.bind(server))()
  server.closeAllConnections()
  await closed
}
