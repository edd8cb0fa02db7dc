import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadFiles } from '../../../../lib/ingest/load/load-files.ts'
import { recordForm } from '../../../../lib/store/writing/record-form.ts'
import { ndjson } from '../../../support/records/raw-log-of.ts'
import type { Block } from '../../outside/sim-chain.ts'
import { jobsOf, startJob, WRITER_ENDS } from '../../start-job.ts'
import type { Job, SimNetwork, World } from '../../world.ts'
import { rememberedBlocks } from '../indexers/chain-events.ts'

/**
 * Loads this share of the logs of final blocks, drawn at random, as `npm run load` does. In an indexed network, the
 * indexer may also store some of these logs.
 */
export function loadSome(world: World, network: SimNetwork, { share }: { share: number }): Job {
  const { random, gate, jobs } = world
  const final = network.chain.finalized().number
  const isAtWork = jobsOf(world, `indexer ${network.network}`).length > 0
  const { blockNumber = -1 } = world.table.checkpoints().get(network.network) ?? {}
  // A running indexer may be about to store an orphaned block that it has read.
  const mayBeStored = (number: number) =>
    isAtWork && number > blockNumber && network.chain.wasReplaced(number)
  const remembered = rememberedBlocks(world, network)
  const hasOrphanAt = (of: number, onChain: string) =>
    remembered.some(({ number, hash }) => number === of && hash !== onChain)
  // An orphaned block that is still stored must be removed first, because a load would replace parts of its events.
  const isLoadable = ({ number, hash }: Block) =>
    number <= final && !mayBeStored(number) && !hasOrphanAt(number, hash)
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

export function startLoad(world: World, network: SimNetwork, file: string): Job {
  const { table, life } = world
  network.unfinishedLoads.add(file)
  return startJob(world, {
    kind: 'load',
    name: `load ${network.network}`,
    mayEndWith: WRITER_ENDS,
    work: async job => {
      const where = table.where('indexing')
      await recordForm(where, job.stop.signal)
      await loadFiles({ ...where, files: [file], changesKeptDays: life.keptDays, signal: job.stop.signal })
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
