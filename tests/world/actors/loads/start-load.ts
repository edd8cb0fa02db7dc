import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadFiles } from '../../../../lib/ingest/load/load-files.ts'
import { recentBlocksList } from '../../../../lib/store/writing/recent-blocks.ts'
import { recordForm } from '../../../../lib/store/writing/record-form.ts'
import { ndjson } from '../../../support/records/raw-log-of.ts'
import type { Block } from '../../outside/sim-chain.ts'
import { isRunning, type Job, type SimNetwork, startJob, type World } from '../../world.ts'

/**
 * Loads logs of final blocks, as `npm run load` does. In an indexed network these are older blocks than the indexer's,
 * or logs of contracts that the indexer leaves out.
 */
export function loadSome(world: World, network: SimNetwork, { share }: { share: number }): Job {
  const { random, gate, jobs } = world
  const final = network.chain.finalized().number
  const isAtWork = jobs.some(job => isRunning(job) && job.name === `indexer ${network.network}`)
  const { blockNumber = -1 } = world.table.checkpoints().get(network.network) ?? {}
  // An indexer at work may be about to store an orphan that it has read.
  const mayBeStored = (number: number) =>
    isAtWork && number > blockNumber && network.chain.wasReplaced(number)
  // An orphan that is still stored must be removed first, because a load would replace parts of its events.
  const isLoadable = ({ number, hash }: Block) =>
    number <= final && !mayBeStored(number) && !hasOrphanAt(world, { network, number, hash })
  const blocks = network.chain.blocks.filter(isLoadable)
  const logs = blocks.flatMap(block => block.logs).filter(() => random.chance(share))
  const ids = new Set(logs.map(log => `${network.network}:${log.transactionHash}:${Number(log.logIndex)}`))
  for (const { events } of blocks)
    for (const event of events) if (ids.has(event.id)) network.loaded.set(event.id, event)
  folder ??= createFolder()
  const file = path.join(folder, `${gate.calls}-${jobs.length}.ndjson`)
  writeFileSync(file, ndjson(logs.map(log => ({ ...log, network: network.network }))))
  return startLoad(world, network, file)
}

/** Whether an indexer remembers another block of the number. */
const hasOrphanAt = (
  { table }: World,
  { network, number, hash }: { network: SimNetwork; number: number; hash: string },
): boolean =>
  table
    .partition(recentBlocksList(network.network))
    .some(({ blockNumber, blockHash }) => Number(blockNumber?.N) === number && blockHash?.S !== hash)

/** Loads a file, for the first time or once more. */
export function startLoad(world: World, network: SimNetwork, file: string): Job {
  const { table, life } = world
  network.unfinishedLoads.add(file)
  return startJob(world, {
    kind: 'load',
    name: `load ${network.network}`,
    work: async job => {
      const where = { client: table.client('indexing'), tableName: table.tableName, networks: table.networks }
      await recordForm(where, job.stop.signal)
      await loadFiles({
        ...where,
        files: [file],
        changesKeptDays: life.keptDays,
        signal: job.stop.signal,
      })
      network.unfinishedLoads.delete(file)
    },
  })
}

let folder: string | undefined

function createFolder(): string {
  const created = mkdtempSync(path.join(tmpdir(), 'world-'))
  process.once('exit', () => rmSync(created, { recursive: true, force: true }))
  return created
}
