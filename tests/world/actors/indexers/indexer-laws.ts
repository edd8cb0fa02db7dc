import { CHAINS } from '../../../../lib/events/networks.ts'
import type { Law } from '../../world.ts'
import { eventsUpTo, rememberedBlocks } from './chain-events.ts'

export const INDEXER_LAWS: readonly Law[] = [
  {
    sentence: 'A checkpoint moves up only over blocks whose events are all stored.',
    atWrite: ({ world, network, job, before, after }) => {
      if (after?.blockNumber === undefined || after.blockHash === undefined) return []
      if (after.blockHash === before?.blockHash) return []
      const from = (before?.blockNumber ?? (after.scope?.fromBlock ?? 0) - 1) + 1
      return eventsUpTo(network, { hash: after.blockHash, from, scope: after.scope })
        .filter(record => record.blockNumber <= (job?.through ?? Infinity) && !world.table.hasWhole(record))
        .map(
          ({ id, blockNumber }) =>
            `the checkpoint is at ${after.blockNumber}, and ${id} of ${blockNumber} is not stored in all lists`,
        )
    },
  },
  {
    sentence:
      'A checkpoint moves up only along its own chain, and never past a remembered block that has left that chain.',
    atWrite({ world, network, before, after }) {
      const { blockNumber = -1, blockHash = '' } = after ?? {}
      if (before?.blockNumber === undefined || blockNumber <= before.blockNumber) return []
      const { chain } = network
      const remembered = rememberedBlocks(world, network).filter(({ number }) => number <= blockNumber)
      const below = [...remembered, { number: before.blockNumber, hash: before.blockHash }]
      const lowest = Math.min(...below.map(({ number }) => number))
      const hashes = new Map<number, string>()
      for (let block = chain.ofHash(blockHash); block && block.number >= lowest; )
        block = chain.ofHash(hashes.set(block.number, block.hash) && block.parentHash)
      return below
        .filter(({ number, hash }) => hashes.has(number) && hashes.get(number) !== hash)
        .map(({ number, hash }) => `the checkpoint is at ${blockNumber}, above ${hash} of ${number}`)
    },
  },
  {
    sentence: 'An event leaves the table only after the log has recorded its removal.',
    atWrite({ world, removed, network }) {
      if (!removed || removed.network !== network.network) return []
      const { id, blockHash, blockNumber } = removed
      return world.announced.has(`${id} ${blockHash}`) ? [] : [`${id} of block ${blockNumber} is removed`]
    },
  },
  {
    sentence: 'An indexer removes events only if their block may have left the chain.',
    atWrite({ job, removed, network: { network, chain, sims } }) {
      if (removed?.network !== network || job?.kind !== 'indexer') return []
      const { id, blockNumber, blockHash } = removed
      const hasLeft = chain.at(blockNumber)?.hash !== blockHash || sims.some(({ hasForked }) => hasForked)
      return hasLeft ? [] : [`${id} of block ${blockNumber} is removed`]
    },
  },
  {
    sentence: 'A writer that ends is at rest only if it remembers no block above its checkpoint.',
    atWrite({ world, network, before, after }) {
      const { leased, atRest, blockNumber } = after ?? {}
      // If there is no checkpoint, the next writer makes readers read everything again anyway.
      if (!before?.leased || leased !== false || !atRest || blockNumber === undefined) return []
      return rememberedBlocks(world, network)
        .filter(({ number }) => number > blockNumber)
        .map(({ number }) => `block ${number} is remembered above ${blockNumber}`)
    },
  },
  {
    sentence:
      'Only the holder of the lease moves a checkpoint, or writes events of a network that is indexed.',
    atWrite: ({ job, holder, isOfEvents, network, before, after }) =>
      (isOfEvents || before?.blockHash !== after?.blockHash) && job?.needsLease && holder !== job.actor.name
        ? [`${job.actor.name} writes ${network.network}, whose lease ${holder} holds`]
        : [],
  },
  {
    sentence: 'A writer releases its lease only when none of its writes is in flight.',
    atWrite({ world, job, before, after }) {
      if (!job || !before?.leased || after?.leased !== false || after.fence !== before.fence) return []
      const writes = world.gate.underWay(job.actor).filter(title => /^(puts|deletes|DeleteItem) /.test(title))
      return writes.map(title => `${job.actor.name} releases its lease, although it ${title}`)
    },
  },
  {
    sentence: 'After an indexer has read a network to its head, the checkpoint records the final block.',
    atRest: ({ world: { networks, table } }) =>
      [...networks.values()].flatMap(({ network, isIndexed, chain }) => {
        const { blockNumber, finalizedBlock = -1 } = table.checkpoints().get(network) ?? {}
        const final = Math.min(chain.finalized().number, chain.head().number - CHAINS[network].finalDepth)
        return !isIndexed || blockNumber === undefined || finalizedBlock >= final
          ? []
          : [`${network} is final through ${final}, and the checkpoint says ${finalizedBlock}`]
      }),
  },
]
