import { isDeepStrictEqual } from 'node:util'
import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { queryString } from '../../../../lib/client/query.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { matches } from '../../../support/oracle/oracle.ts'
import { tokenEvents } from '../../../support/requests/api-request.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { finalityOf } from '../../outside/sim-table.ts'
import type { Law, ReadCopy, World } from '../../world.ts'

export const READER_LAWS: readonly Law[] = [
  {
    sentence: 'Each copy and each receiver holds exactly the events of its scope.',
    atRest: ({ copies, stored }) =>
      copies.filter(({ finalized }) => !finalized).flatMap(copy => compareCopy(copy, stored)),
  },
  {
    sentence: 'A receiver of final events has all of them, and no event that was not final.',
    atRest: ({ world, copies, stored }) =>
      copies
        .filter(({ finalized }) => finalized)
        .flatMap(copy =>
          compareCopy(copy, stored.filter(isFinal(world)), stored.filter(isFinalAndIndexed(world))),
        ),
  },
  {
    sentence: 'A copy has every completely stored event, even if a load has died or no indexer runs.',
    whileOff: ({ world, stored, whole, copies }) =>
      copies.flatMap(copy =>
        copy.finalized
          ? compareCopy(copy, stored.filter(isFinalOnChain(world)), whole.filter(isFinalAndIndexed(world)))
          : compareCopy(copy, stored, whole),
      ),
  },
  {
    sentence: 'No reader ends or lags forever while the service answers it.',
    atRest: ({ world }) =>
      [...world.readers.values()].flatMap(({ plan, ended }) =>
        ended === undefined || ended.includes('too old') ? [] : [`${plan.name}: ${ended}`],
      ),
  },
  {
    sentence: 'A reader that is up to date reads only a few items, however long its lists are.',
    atRest: ({ world }) => (world.life.endings.includes(READS_IDLY) ? costOfIdleRead(world) : []),
  },
]

/** A reader that is up to date reads one more time. */
export const READS_IDLY = 'a reader reads idly'

const MOST_IDLE_ITEMS = 12
const MOST_IDLE_CALLS = 40

/** Reads a scope that has no new changes, and reports a problem if the service reads too much for the empty answer. */
async function costOfIdleRead({ life, table, gate, random }: World): Promise<string[]> {
  if (life.readers.length === 0) return []
  const client = createEventsClient(SERVICE_URL)
  const { scope } = random.pick(life.readers)
  let page = await client.changePage({ ...scope, from: 'beginning', limit: 500 })
  while (!page.isUpToDate) page = await client.changePage({ ...scope, cursor: page.next, limit: 500 })
  const before = { examined: table.examined, calls: gate.calls }
  await client.changePage({ ...scope, cursor: page.next, limit: 100 })
  const [examined, calls] = [table.examined - before.examined, gate.calls - before.calls]
  const isCostly = examined > MOST_IDLE_ITEMS || calls > MOST_IDLE_CALLS
  return isCostly ? [`${JSON.stringify(scope)}: ${examined} items in ${calls} calls`] : []
}

/** Asks the chain if no block is indexed, because indexing was then restarted above every block that can be indexed. */
const isFinal = (world: World) => (record: EventRecord) => {
  const { blockNumber, finalizedBlock = -1 } = world.table.checkpoints().get(record.network) ?? {}
  return blockNumber === undefined ? isFinalOnChain(world)(record) : record.blockNumber <= finalizedBlock
}

/** Asks the chain, because an indexer that has just restarted does not know yet which blocks are final. */
const isFinalOnChain =
  ({ networks }: World) =>
  ({ network, blockNumber }: EventRecord) =>
    blockNumber <= (networks.get(network)?.chain.finalized().number ?? -1)

/** Omits final events that loads store above the checkpoint, because readers may not have read them yet. */
function isFinalAndIndexed(world: World) {
  const finality = finalityOf(world)
  return ({ network, blockNumber }: EventRecord) => blockNumber <= (finality[network] ?? -1)
}

/** `stored` are the events that the copy may have, and `needed` those that it must have. */
function compareCopy(
  { plan: { name, scope }, records, since = {} }: ReadCopy,
  stored: readonly EventRecord[],
  needed = stored,
): string[] {
  const asked = tokenEvents(queryString(scope))
  const allowed = new Map(stored.filter(record => matches(record, asked)).map(record => [record.id, record]))
  const isNeeded = new Set(needed.filter(({ network, blockNumber }) => blockNumber > (since[network] ?? -1)))
  const problems: string[] = []
  for (const [id, record] of allowed) {
    const held = records.get(id)
    if (!held && isNeeded.has(record)) problems.push(`${name} lacks ${id} of block ${record.blockNumber}`)
    else if (held && !isDeepStrictEqual({ ...held }, { ...record }))
      problems.push(`${name} has another ${id}: ${JSON.stringify(held)} instead of ${JSON.stringify(record)}`)
  }
  for (const [id, record] of records)
    if (!allowed.has(id)) problems.push(`${name} still has ${id} of block ${record.blockNumber}`)
  return problems
}
