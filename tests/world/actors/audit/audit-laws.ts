import { isDeepStrictEqual } from 'node:util'
import type { AuditProgress } from '../../../../lib/audit/audit-progress.ts'
import { CHAINS } from '../../../../lib/events/networks.ts'
import { decodePlace, placeOf } from '../../../../lib/events/place.ts'
import type { Law, SimNetwork, World } from '../../world.ts'
import { eventsUpTo } from '../indexers/chain-events.ts'

export const AUDIT_LAWS: readonly Law[] = [
  {
    sentence: 'The audited block covers only blocks that are equal to the chain.',
    atWrite: ({ world, network, before, after }) => {
      if (after?.auditedBlock === undefined) return []
      if (after.auditedBlock > (after.blockNumber ?? -1))
        return [`audited through ${after.auditedBlock}, and indexed through ${after.blockNumber}`]
      const isNew = after.auditedBlock > (before?.auditedBlock ?? -1)
      if (!isNew && isDeepStrictEqual(before?.scope, after.scope)) return []
      const from = after.scope?.fromBlock ?? network.chain.first
      const missing = eventsUpTo(network, { hash: after.auditedHash ?? '', from, scope: after.scope })
        .filter(record => !world.table.has(record) && !auditsOf(network).secrets.has(record.id))
        .map(
          ({ id, blockNumber }) =>
            `audited through ${after.auditedBlock}, and ${id} of ${blockNumber} is not stored`,
        )
      const problems = [...missing, ...(isNew ? storedInVain(world, network, after.auditedBlock) : [])]
      const isOnChain = network.chain.at(after.auditedBlock)?.hash === after.auditedHash
      return isOnChain
        ? problems
        : [...problems, `audited through ${after.auditedBlock}, which is not on the chain`]
    },
  },
]

/** The events that are stored up to a block but not on the chain, except secret damage (damage-table.ts). */
function storedInVain({ table }: World, network: SimNetwork, upTo: number): string[] {
  const blocks = network.chain.blocks.filter(({ number }) => number <= upTo)
  const places = new Set(blocks.flatMap(({ events }) => events.map(placeOf)))
  const isSecret = new Set([...auditsOf(network).secrets.keys()].map(id => id.split(':').at(-1)))
  return table
    .partition(`all@${CHAINS[network.network].code}`)
    .map(({ p }) => p?.S ?? '')
    .filter(place => (decodePlace(place)?.blockNumber ?? 0) <= upTo && !places.has(place))
    .filter(place => !isSecret.has(String(decodePlace(place)?.logIndex)))
    .map(place => `audited through ${upTo}, and ${place} is not on the chain`)
}

/** The content of an audit's state file (`--state`). */
export interface AuditFile {
  progress: AuditProgress | undefined
}

interface Audits {
  file: AuditFile
  /** The block numbers of secretly damaged events, by event id, until an audit finds the damage. */
  secrets: Map<string, number>
  /** If set, another repair must finish what a repair has left undone. */
  hasUnfinishedRepair: boolean
}

const known = new WeakMap<SimNetwork, Audits>()

export function auditsOf(network: SimNetwork): Audits {
  const audits = known.get(network) ?? {
    file: { progress: undefined },
    secrets: new Map(),
    hasUnfinishedRepair: false,
  }
  known.set(network, audits)
  return audits
}
