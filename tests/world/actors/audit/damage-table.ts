import { CHAINS } from '../../../../lib/events/networks.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { itemsFor } from '../../../../lib/store/format/item.ts'
import type { Random } from '../../../support/records/random.ts'
import { isRunning, type JobKind, type SimNetwork, type World } from '../../world.ts'

const AUDITS: ReadonlySet<JobKind> = new Set(['audit', 'audit function'])

/**
 * Damages the stored events of a final block, as an earlier version of the code or a lost write may have done: an event
 * or one of its items is gone, or an orphan's event stands in a place of its own. Only audits repair this. While an audit
 * runs, the damage is either announced, as a writer's changes are, or a secret that another audit must find.
 */
export function damageTable({ table, gate, jobs }: World, network: SimNetwork, random: Random): void {
  const ofNetwork = jobs.filter(job => isRunning(job) && job.name.endsWith(network.network))
  if (ofNetwork.some(({ kind }) => kind === 'repair')) return
  const { chain, contracts, fromBlock } = network
  const final = chain.finalized().number
  // Nodes that call a block final nearer to the head than the chain can are not believed, so no audit reaches the block.
  const head = chain.blocks.at(-1)?.number ?? final
  if (head - final < CHAINS[network.network].finalAfter) return
  // An indexer vouches for what it has just written, and stores its checkpoint without reading it again. A receiver of
  // final events would keep an event of a later block that moves into a block that is final by the checkpoint.
  const { blockNumber = -1, finalizedBlock = -1 } = table.checkpoints().get(network.network) ?? {}
  const upTo = network.isIndexed ? Math.min(final, blockNumber, finalizedBlock) : final
  // Below the chain's first block, the nodes know no block to which a repair could go back.
  const from = Math.max(fromBlock, chain.first + 1)
  const blocks = chain.blocks.filter(({ number }) => number >= from && number <= upTo)
  // An audit compares what is indexed.
  const isCompared = ({ address }: EventRecord) => contracts === 'any' || contracts.includes(address)
  const stored = blocks
    .flatMap(({ events }) => events)
    .filter(record => isCompared(record) && table.has(record))
  if (stored.length === 0) return
  const long = stored.filter(record => itemsFor(table.networks)(record).chunks.length > 0)
  const record = random.pick(long.length > 0 && random.chance(0.5) ? long : stored)
  const { entries } = itemsFor(table.networks)(record)
  const isAudited = ofNetwork.some(({ kind }) => AUDITS.has(kind)) || network.auditFile.progress !== undefined
  // The laws see at once that an audit vouches for what is gone.
  const how = isAudited
    ? random.pick(['whole', 'whole', 'one item', 'elsewhere', 'elsewhere as well'])
    : random.pick(['whole', 'one item', 'elsewhere', 'elsewhere as well', 'elsewhere as well'])
  if (isAudited && random.chance(0.5)) table.announceChange(network.network)
  else if (isAudited) network.secrets.set(record.id, record.blockNumber)
  gate.note(`» ${how} of ${record.id} of block ${record.blockNumber} is damaged`)
  if (how === 'one item') {
    table.remove(random.pick(entries))
    return
  }
  if (how !== 'elsewhere as well') for (const entry of entries) table.remove(entry)
  if (how === 'whole') return
  // An orphan has the id of the event on the chain, but another block.
  const other = random.pick(blocks)
  const createdAt = new Date(other.timestamp * 1000).toISOString()
  // With its own block's hash, a second copy has the chunks of the first.
  const blockHash = random.chance(0.7) ? record.blockHash : `0x${'ab'.repeat(32)}`
  const orphan = { ...record, blockNumber: other.number, blockHash, createdAt }
  if (other.events.some(({ logIndex }) => logIndex === record.logIndex)) return
  const { chunks, entries: items } = itemsFor(table.networks)(orphan)
  for (const item of [...chunks, ...items]) table.put(item)
}
