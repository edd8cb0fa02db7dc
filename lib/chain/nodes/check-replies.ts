import type { Network } from '../../events/networks.ts'
import type { Contracts } from '../../store/format/checkpoint.ts'
import { parseRawLog, type RawLog } from '../logs/raw-log.ts'
import type { BlockHeader } from './block-header.ts'
import { BadReplyError } from './rpc-errors.ts'

/** What was requested (blocks, contracts and topics), and the header of one block in the range. */
interface Claim {
  network: Network
  contracts: Contracts
  topics: ReadonlySet<string>
  first: number
  last: number
  header: BlockHeader
}

/**
 * Checks a node's logs, and returns them in chain order. Throws `BadReplyError` if a reorganisation removed a log, or
 * if a log's block, contract or topic was not requested. Also throws this error if a higher block has an earlier time,
 * or if two logs of the same block have different block hashes, different times or the same index.
 */
export function checkLogs(reply: readonly object[], claim: Claim): RawLog[] {
  const logs = reply.map(value => checkLog(value, claim))
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  logs.reduce<RawLog | undefined>((previous, log) => {
    if (previous) checkOrder(previous, log)
    return log
  }, undefined)
  const { header } = claim
  for (const log of logs) if (log.blockNumber === header.number) checkBlock(log, header)
  return logs
}

export function checkBlock(log: RawLog, header: BlockHeader): void {
  if (log.blockHash !== header.hash || log.blockTimestamp !== header.timestamp) {
    throw new BadReplyError(
      `A log of block ${header.number} contains the hash or the time of a different block`,
    )
  }
}

function checkLog(value: object, { network, contracts, topics, first, last }: Claim): RawLog {
  const parsed = parseRawLog({ ...value, network })
  if ('rejection' in parsed)
    throw new BadReplyError(`The node returned an invalid log: ${parsed.rejection.reason}`)
  const { log } = parsed
  if (log.blockNumber < first || log.blockNumber > last) {
    throw new BadReplyError(
      `The request was for blocks ${first} to ${last}, but the node returned a log of block ${log.blockNumber}`,
    )
  }
  if (contracts !== 'any' && !contracts.includes(log.address)) {
    throw new BadReplyError(`The node returned a log of ${log.address}, which was not requested`)
  }
  if (!topics.has(log.topics[0] ?? ''))
    throw new BadReplyError('The node returned a log with a topic that was not requested')
  return log
}

function checkOrder(previous: RawLog, log: RawLog) {
  if (previous.blockNumber !== log.blockNumber) {
    if (previous.blockTimestamp <= log.blockTimestamp) return
    throw new BadReplyError(`Block ${log.blockNumber} has an earlier time than block ${previous.blockNumber}`)
  }
  if (previous.blockHash !== log.blockHash || previous.blockTimestamp !== log.blockTimestamp) {
    throw new BadReplyError(`Two logs of block ${log.blockNumber} contain different block hashes or times`)
  }
  if (previous.logIndex === log.logIndex) {
    throw new BadReplyError(`Two logs of block ${log.blockNumber} have the index ${log.logIndex}`)
  }
}

export function checkParent(
  header: BlockHeader | undefined,
  { parentHash }: { parentHash?: string | undefined },
): void {
  if (!header || parentHash === undefined || header.parentHash === parentHash) return
  throw new BadReplyError(`Block ${header.number} is not the child of the block that was read before it`)
}

/** Throws `BadReplyError` if a block is not the parent of the block after it. */
export function checkLinks(headers: readonly BlockHeader[]): void {
  headers.reduce<BlockHeader | undefined>((parent, header) => {
    if (parent && header.parentHash !== parent.hash) {
      throw new BadReplyError(`Block ${header.number} is not the child of block ${parent.number}`)
    }
    return header
  }, undefined)
}
