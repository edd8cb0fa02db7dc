import { finalBlockOf } from '../../chain/nodes/finality.ts'
import type { ChainReader, Heads } from '../../chain/nodes/read-chain.ts'
import { reasonOf, StateRefusedError } from '../../chain/nodes/rpc-errors.ts'
import type { Network } from '../../events/networks.ts'
import { type IndexState, isSameContracts } from '../../store/format/checkpoint.ts'
import type { IndexOptions, IndexStart } from './index-options.ts'
import { StartBeyondHeadError, StartUnknownError } from './start-errors.ts'

type Wanted = Pick<IndexOptions, 'network' | 'contracts' | 'fromBlock' | 'fromTime' | 'toBlock' | 'restart'>

interface Known {
  reader: ChainReader
  stored: IndexState | undefined
  signal: AbortSignal
}

/**
 * Finds the first block to index: the configured block, the first block at or after the configured time, or else the
 * first block of the stored scope. Without a stored scope, or if indexing begins again with other contracts, the first
 * block is the one that created the earliest contract, or block 0 for all contracts. Reads from the chain only when
 * needed, and writes nothing. Throws `StartBeyondHeadError`, `StartUnknownError`, and an error if the last block is
 * below the first.
 */
export async function findStart(wanted: Wanted, known: Known): Promise<IndexStart> {
  const start = await search(wanted, known)
  const { toBlock } = wanted
  if (toBlock !== undefined && toBlock < start.fromBlock) {
    throw new Error(
      `The last block (--to-block ${toBlock}) must not be lower than the first block (${start.fromBlock})`,
    )
  }
  return start
}

async function search(
  { network, contracts, fromBlock, fromTime, restart }: Wanted,
  { reader, stored, signal }: Known,
): Promise<IndexStart> {
  const goesOn = stored?.checkpoint !== undefined && !restart
  if (goesOn && fromBlock !== undefined) return { fromBlock, because: 'given' }
  const isRemembered = stored !== undefined && (goesOn || isSameContracts(stored.scope.contracts, contracts))
  const isSameTime = goesOn && fromTime === stored.scope.fromTime
  if (isRemembered && fromBlock === undefined && (fromTime === undefined || isSameTime)) {
    return { fromBlock: stored.scope.fromBlock, because: 'remembered' }
  }
  const heads = await reader.readHeads(signal)
  if (fromBlock !== undefined) {
    const { number } = heads.head
    if (fromBlock > number) {
      throw new StartBeyondHeadError({ network, start: `block ${fromBlock}`, head: String(number) })
    }
    return { fromBlock, because: 'given' }
  }
  const chain = { network, reader, heads, signal }
  if (fromTime !== undefined) return startAtTime(fromTime, chain)
  return contracts === 'any' ? { fromBlock: 0, because: 'genesis' } : startAtCreation(contracts, chain)
}

interface KnownChain extends Omit<Known, 'stored'> {
  network: Network
  heads: Heads
}

async function startAtTime(seconds: number, chain: KnownChain): Promise<IndexStart> {
  const { network, reader, heads, signal } = chain
  const { head } = heads
  if (seconds > head.timestamp) {
    const start = timeText(seconds)
    throw new StartBeyondHeadError({ network, start, head: `${head.number} (${timeText(head.timestamp)})` })
  }
  let found = head
  await firstWhere(head.number, async number => {
    const [header] = await reader.readHeaders([number], signal)
    if (!header) {
      throw new StartUnknownError({ network, reason: `the node no longer has block ${number}` })
    }
    const isLateEnough = header.timestamp >= seconds
    if (isLateEnough) found = header
    return isLateEnough
  })
  return { fromBlock: behindReorganisations(found.number, chain), because: 'time', found }
}

async function startAtCreation(contracts: readonly string[], chain: KnownChain): Promise<IndexStart> {
  const { network, reader, heads, signal } = chain
  const hasCode = async (address: string, number: number) => {
    try {
      return await reader.hasCode(address, number, signal)
    } catch (cause) {
      if (!(cause instanceof StateRefusedError)) throw cause
      const reason = `the node cannot tell whether ${address} existed in block ${number} (${reasonOf(cause.cause)})`
      throw new StartUnknownError({ network, reason, cause })
    }
  }
  let first: { contract: string; createdIn: number } | undefined
  for (const contract of contracts) {
    const last = first ? first.createdIn - 1 : heads.head.number
    const isThere = last >= 0 && (await hasCode(contract, last))
    if (isThere) first = { contract, createdIn: await firstWhere(last, number => hasCode(contract, number)) }
  }
  if (!first)
    throw new StartUnknownError({
      network,
      reason: `there is no contract at ${contracts.join(', ')} (check the address and the network)`,
    })
  return { fromBlock: behindReorganisations(first.createdIn, chain), because: 'creation', ...first }
}

/**
 * Returns the lower of the found block and the first block that is not final, because a reorganisation can change the
 * search's result to any block that is not final.
 */
const behindReorganisations = (number: number, { network, heads }: KnownChain) =>
  Math.min(number, finalBlockOf(network, heads) + 1)

/** Finds the first block that meets the condition. All higher blocks up to `last` must meet the condition, too. */
async function firstWhere(last: number, isMet: (number: number) => Promise<boolean>): Promise<number> {
  let low = 0
  let high = last
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isMet(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export const timeText = (seconds: number) => new Date(seconds * 1000).toISOString()
