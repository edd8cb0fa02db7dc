import { isDeepStrictEqual } from 'node:util'
import type { EventRecord } from '../../lib/events/record.ts'
import { verifyTable } from '../../lib/ingest/verify/verify-table.ts'
import { isInScope } from './actors/indexers/chain-events.ts'
import type { Law, Rest, SimNetwork, World } from './world.ts'

export const TABLE_LAWS: readonly Law[] = [
  {
    sentence: 'At rest, the table has exactly the events of the chain, with equal fields.',
    atRest: rest => [...rest.world.networks.values()].flatMap(network => compareWithChain(network, rest)),
  },
  {
    sentence: 'At rest, each list has exactly the items of its events, byte for byte.',
    atRest: ({ world }) => problemsOf(world),
  },
]

async function problemsOf(world: World): Promise<string[]> {
  const { table } = world
  const problems: string[] = []
  await verifyTable({
    ...table.where('indexing'),
    onProblem: problem => {
      if (!mayStay(world, problem.list)) problems.push(JSON.stringify(problem))
    },
  })
  return problems
}

/**
 * Chunks may stay if a repair has died before it deleted them, or if their event never had an item in `all` and a
 * narrower scope excludes it. No reader finds them (lib/store/protocol.md).
 */
const mayStay = ({ networks, jobs, removedChunks }: World, list: string): boolean => {
  if (removedChunks.has(list)) return jobs.some(({ kind, end }) => kind === 'repair' && end !== 'done')
  return [...networks.values()].some(
    ({ network, isNarrower }) => isNarrower && list.startsWith(`chunks#${network}:`),
  )
}

/** At rest, a network must have all indexed and loaded events, and may have others that are on the chain. */
function compareWithChain(network: SimNetwork, { world, stored }: Rest): string[] {
  const byId = (records: EventRecord[]) => new Map(records.map(record => [record.id, record]))
  const found = byId(stored.filter(record => record.network === network.network))
  const upTo = world.table.checkpoints().get(network.network)?.blockNumber ?? -1
  const onChain = network.chain.blocks.flatMap(({ events }) => events)
  const isWanted = (record: EventRecord) =>
    network.isIndexed && isInScope(network, record) && record.blockNumber <= upTo
  const wanted = byId([...onChain.filter(isWanted), ...network.loaded.values()])
  const allowed = byId(onChain)
  const problems: string[] = []
  for (const [id, record] of wanted)
    if (!found.has(id)) problems.push(`${id} of block ${record.blockNumber} is missing`)
  for (const [id, record] of found) {
    const truth = allowed.get(id)
    if (!truth) problems.push(`${id} of block ${record.blockNumber} is not on the chain`)
    else if (!isDeepStrictEqual({ ...record }, { ...truth }))
      problems.push(`${id} differs: ${JSON.stringify(record)} instead of ${JSON.stringify(truth)}`)
    else if (
      !wanted.has(id) &&
      network.isIndexed &&
      record.blockNumber > Math.max(upTo, network.chain.finalized().number)
    )
      problems.push(
        `${id} of block ${record.blockNumber} is stored, though not in the indexed blocks up to ${upTo}`,
      )
  }
  return problems
}
