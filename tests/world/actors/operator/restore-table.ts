import type { TableCopy } from '../../dynamo/memory-table.ts'
import { watchWrites } from '../../watch-writes.ts'
import { createRemains, isRunning, type World } from '../../world.ts'

/**
 * Goes back to an earlier moment of the table, as `infra/operating.md` says: everything is replaced by programs of the
 * restored table, and every reader begins again from the beginning, under another name and with an empty copy. Callers
 * know nothing of it, and go on with their walks.
 */
export function restoreTable(world: World, copy: TableCopy): void {
  const { gate, jobs, table, service, networks, readers } = world
  for (const job of jobs) if (isRunning(job) && job.kind !== 'caller') gate.kill(job.actor)
  table.restore(copy)
  watchWrites(world)
  service.restart()
  for (const network of networks.values()) {
    // The operator knows which files the copy lacks. Loads that were open then are finished in the end.
    for (const [id, record] of network.loaded) if (!table.has(record)) network.loaded.delete(id)
    for (const file of network.openAtCopy) network.unfinishedLoads.add(file)
    network.auditFile.progress = undefined
    network.secrets.clear()
    // The copy may be of a moment in the middle of a repair.
    network.hasUnfinishedRepair = true
    // The scope may be an earlier one.
    network.restarts = true
  }
  for (const { plan, receiver } of [...readers.values()]) {
    readers.delete(plan.name)
    const name = `${plan.name}-again`
    const remains = createRemains({ ...plan, name }, gate)
    remains.receiver.isDown = receiver.isDown
    readers.set(name, remains)
  }
}
