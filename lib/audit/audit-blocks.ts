import pMap, { pMapIterable } from 'p-map'
import type { EventDecoders } from '../chain/logs/event-decoders.ts'
import type { ProvableHeader } from '../chain/nodes/block-header.ts'
import type { BlockRange } from '../chain/nodes/get-block.ts'
import type { ProofReader } from '../chain/nodes/proof-reader.ts'
import { isOutage, NodesUnavailableError, reasonOf } from '../chain/nodes/rpc-errors.ts'
import type { Network } from '../events/networks.ts'
import { endOfBlock, type Place } from '../events/place.ts'
import type { Contracts } from '../store/format/checkpoint.ts'
import { type Comparison, compareBlocks, type ProvenHeader } from './compare-blocks.ts'
import type { ServedEvent, ServedEvents } from './served-events.ts'

/**
 * How many blocks of a group are proven in parallel. The number is small, because a block's receipts take a few hundred
 * KB, and nodes allow few parallel requests.
 */
const PROOFS_IN_FLIGHT = 8
/** How many groups of up to a hundred blocks are proven while an earlier group is compared. */
const GROUPS_IN_FLIGHT = 2
const SAMPLES_IN_FLIGHT = 4

export interface BlocksToAudit {
  network: Network
  reader: ProofReader
  served: ServedEvents
  contracts: Contracts
  decoders: EventDecoders
  signal: AbortSignal
}

export interface AuditedBlocks extends Comparison {
  blocks: readonly ProvenHeader[]
}

/** The block below the first block to audit. */
export type BlockBefore = Pick<ProvableHeader, 'number' | 'hash' | 'timestamp'>

export class ChainChangedError extends Error {
  override readonly name = 'ChainChangedError'
  readonly code = 'chain-changed'

  constructor({ network, blockNumber }: { network: Network; blockNumber: number }) {
    super(
      `${network}: block ${blockNumber} is not the child of the block that was audited before it. Either the chain was reorganised at this block, or a node serves a different chain. Start a new audit (in npm run audit, with another --state)`,
    )
  }
}

/**
 * Audits consecutive blocks in groups of up to a hundred, and proves the next groups while it compares a group.
 * `parent` is the last audited block. Throws `ChainChangedError` if `parent` is given but is not the parent of the first
 * block. Also throws any error from `reader` or `served`.
 */
export async function* auditBlocks(
  range: BlockRange,
  { parent, ...options }: BlocksToAudit & { parent?: BlockBefore | undefined },
): AsyncGenerator<AuditedBlocks> {
  const { network, reader, served, signal } = options
  const proven = pMapIterable(reader.readHeaders(range, signal), headers => proveAll(headers, options), {
    concurrency: GROUPS_IN_FLIGHT,
  })
  let stream: ReturnType<typeof createStream> | undefined
  try {
    for await (const blocks of proven) {
      const [first, last] = [blocks[0]?.header, blocks.at(-1)?.header]
      if (!first || !last) continue
      if (!stream && parent && first.parentHash !== parent.hash) {
        throw new ChainChangedError({ network, blockNumber: first.number })
      }
      stream ??= createStream(served.read({ parent, first, lastBlock: range.last }))
      const { number: blockNumber, timestamp: seconds } = last
      // A service returns only events whose block number is at most `range.last`. If one of these events has a later
      // time than block `range.last`, this time is wrong, so the event must be compared, too.
      const isRest = blockNumber === range.last && served.endsAtLastBlock
      const end = isRest ? undefined : endOfBlock({ seconds, blockNumber, network }, 'asc')
      yield { blocks, ...compareBlocks({ ...options, blocks, served: await stream.takeUpTo(end) }) }
    }
  } finally {
    await stream?.end()
  }
}

/** Audits the blocks of a sample, several at a time, and yields the results in the order of `numbers`. */
export async function* auditSample(
  numbers: readonly number[],
  options: BlocksToAudit,
): AsyncGenerator<AuditedBlocks> {
  const { reader, served, signal } = options
  yield* pMapIterable(
    numbers,
    async number => {
      const header = await reader.readHeader(number, signal)
      const blocks = await proveAll([header], options)
      const events: ServedEvent[] = []
      for await (const event of served.read({ first: header, lastBlock: number })) events.push(event)
      return { blocks, ...compareBlocks({ ...options, blocks, served: events }) }
    },
    { concurrency: SAMPLES_IN_FLIGHT },
  )
}

function proveAll(
  headers: readonly ProvableHeader[],
  { reader, signal }: BlocksToAudit,
): Promise<ProvenHeader[]> {
  const prove = async (header: ProvableHeader): Promise<ProvenHeader> => {
    try {
      return { header, proof: await reader.proveBlock(header, signal) }
    } catch (error) {
      // A block is unproven if nodes return its header but not its receipts, for example because they have discarded
      // old receipts. An outage says nothing about the block, so it ends the audit, which can be resumed.
      if (!(error instanceof NodesUnavailableError) || isOutage(error.cause)) throw error
      return { header, proof: { proof: 'none', reason: reasonOf(error), hasRule: true } }
    }
  }
  return pMap(headers, prove, { concurrency: PROOFS_IN_FLIGHT })
}

function createStream(events: AsyncGenerator<ServedEvent>) {
  let next: ServedEvent | undefined
  return {
    /** Returns the next events up to and including `place`, or all remaining events if `place` is undefined. */
    async takeUpTo(place: Place | undefined): Promise<ServedEvent[]> {
      const taken: ServedEvent[] = []
      for (;;) {
        next ??= (await events.next()).value ?? undefined
        if (!next || (place !== undefined && next.place > place)) return taken
        taken.push(next)
        next = undefined
      }
    },
    end: async () => void (await events.return(undefined)),
  }
}
