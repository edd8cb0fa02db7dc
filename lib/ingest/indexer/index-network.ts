import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { decodersOf } from '../../chain/logs/event-decoders.ts'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import { checkNodes } from '../../chain/nodes/check-chain.ts'
import { defaultConfirmations, finalBlockOf, targetOf } from '../../chain/nodes/finality.ts'
import { createChainReader, type Heads } from '../../chain/nodes/read-chain.ts'
import { MONOTONIC_CLOCK } from '../../store/clock.ts'
import { acquireLease, DEFAULT_LEASE_MS, readIndexState } from '../../store/leases/acquire-lease.ts'
import { fenceClient } from '../../store/leases/fence-client.ts'
import { isAtRest, readRecentBlocks } from '../../store/writing/recent-blocks.ts'
import { recordForm } from '../../store/writing/record-form.ts'
import { agreeOnScope } from './agree-on-scope.ts'
import { backfill } from './backfill.ts'
import { findStart } from './find-start.ts'
import { followHead, forgetFinalBlocks, rangeAtHead, rememberAncestor } from './follow-head.ts'
import { goBack } from './go-back.ts'
import type { IndexOptions, IndexProgress } from './index-options.ts'
import { followsOnCheckpoint, type IndexSession, moveCheckpoint } from './index-session.ts'
import { logStart } from './log-revision.ts'
import { checkBelowStart, repairReorganisation } from './repair-reorganisation.ts'
import { NetworkLeftOutError } from './start-errors.ts'

const DEFAULT_POLL_MS = 1000
/**
 * At the head, a few steps without progress are normal, so `onStalled` is called only after this many in succession.
 */
const STALLED_STEPS = 10

/**
 * Indexes a network's events from the checkpoint to the target, and resolves with the progress. After an interruption,
 * the next run continues from the checkpoint, so the final table is the same as after an uninterrupted run. Throws
 * `WrongChainError` if a node has another chain id (usually before the first write), `NetworkLeftOutError` if the table
 * excludes the network, `OtherNetworksError` if it records other networks, and `LeaseHeldError` if another indexer or a
 * repair holds the lease. Also throws `NoWayBackError`, `LeaseLostError`, `ScopeChangedError`, `FinalityViolatedError`,
 * `NodesUnavailableError`, `UnprovenBlockError`, `TableBusyError`, DynamoDB's errors, and the errors of `findStart`.
 */
export async function indexNetwork(options: IndexOptions): Promise<IndexProgress> {
  const { createClient, abort } = options
  const leaseClient = await createClient()
  const writer = await createClient()
  try {
    return await indexWith({ leaseClient, writer }, options)
  } catch (error) {
    // Aborted work fails with various errors, so the reason for the abort is thrown instead.
    throw abort?.aborted ? abort.reason : error
  } finally {
    leaseClient.destroy()
    writer.destroy()
  }
}

async function indexWith(
  { leaseClient, writer }: { leaseClient: DynamoDBClient; writer: DynamoDBClient },
  options: IndexOptions,
): Promise<IndexProgress> {
  const { network, networks, tableName, contracts, erc721, fromTime, restart } = options
  const { leaseMs = DEFAULT_LEASE_MS } = options
  if (networks && !networks.includes(network)) throw new NetworkLeftOutError({ network, networks })
  const given = options.abort ? [options.abort] : []
  const signal = AbortSignal.any([options.signal, ...given])
  await checkNodes(options.nodes.members, options, signal)
  const reader = createChainReader({ ...options, proof: proofOf(options) })
  const recorded = await recordForm({ ...options, client: leaseClient }, signal, { isOneEnough: true })
  const stored = await readIndexState({ ...options, client: leaseClient, signal })
  const start = await findStart(options, { reader, stored, signal })
  const scope = {
    contracts,
    fromBlock: start.fromBlock,
    ...(erc721 && { erc721 }),
    ...(fromTime !== undefined && { fromTime }),
  }
  const lease = await acquireLease({ ...options, leaseMs, client: leaseClient, scope, signal })
  const fenced = fenceClient(writer, lease.ensureHeld)
  const abort = AbortSignal.any([lease.signal, ...given])
  const stop = AbortSignal.any([signal, abort])
  let atRest = lease.wasAtRest
  try {
    await agreeOnScope(lease, {
      ...{ network, restart, tableName, networks: recorded, client: writer },
      ...{ wanted: scope, reader, stop, abort, onNewScope: options.onNewScope },
    })
    options.onStart?.(start)
    const onBegin = () => {
      atRest = false
    }
    const held = { reader, lease, writer, abort, stop, onBegin }
    const { session, progress } = await runSteps({ ...options, networks: recorded }, held)
    atRest = isAtRest(session.state.recent, session.state.checkpoint)
    return progress
  } catch (error) {
    throw lease.signal.aborted ? lease.signal.reason : error
  } finally {
    await lease.end({ release: !options.abort?.aborted && fenced.isQuiet(leaseMs / 2), atRest })
  }
}

interface Held extends Pick<IndexSession, 'reader' | 'lease' | 'writer' | 'stop' | 'abort'> {
  /** Called before the first change to events, remembered blocks or the checkpoint. */
  onBegin: () => void
}

async function runSteps(
  options: IndexOptions,
  held: Held,
): Promise<{ session: IndexSession; progress: IndexProgress }> {
  const { network, networks, tableName, clock = MONOTONIC_CLOCK, now = Date.now, signal } = options
  const { pollMs = DEFAULT_POLL_MS } = options
  const { reader, lease, writer, stop, abort } = held
  const table = { client: DynamoDBDocumentClient.from(writer), tableName, networks, network, signal: abort }
  const recent = await readRecentBlocks(table)
  const counts = { blocks: 0, events: 0, removed: 0, rejected: 0, writeUnits: 0 }
  const state = { checkpoint: lease.checkpoint, recent }
  let first = (lease.checkpoint?.blockNumber ?? lease.scope.fromBlock - 1) + 1
  let heads: Heads | undefined
  let target = first - 1
  let stalledSteps = 0
  const progress = (): IndexProgress => ({
    ...counts,
    network,
    checkpoint: state.checkpoint,
    head: heads?.head.number ?? -1,
    headTimestamp: heads?.head.timestamp ?? 0,
    first,
    target,
    confirmations: options.confirmations ?? (heads ? defaultConfirmations(network, heads) : 0),
  })
  const onProgress = () => options.onProgress?.(progress())
  const session: IndexSession = {
    network,
    reader,
    proof: proofOf(options),
    decoders: decodersOf(options),
    lease,
    writer,
    table,
    changesKeptDays: options.changesKeptDays,
    now,
    stop,
    abort,
    counts,
    state,
    onProgress,
    onReorganised: reorganisation => options.onReorganised?.(reorganisation),
  }

  if (options.backTo !== undefined) {
    await goBack(session, { blockNumber: options.backTo, onBegin: held.onBegin })
    first = options.backTo + 1
  }
  await logStart(session)
  try {
    while (!stop.aborted) {
      heads = await reader.readHeads(stop)
      target = targetOf(heads, options)
      onProgress()
      held.onBegin()
      const before = nextBlock(session)
      await takeStep(session, { heads, target })
      const next = nextBlock(session)
      if (next > target && (!options.follow || next > (options.toBlock ?? Number.POSITIVE_INFINITY))) break
      // If the step made no progress, the nodes contradict each other or an earlier reply, perhaps for minutes.
      stalledSteps = next <= target && next === before ? stalledSteps + 1 : 0
      if (stalledSteps === STALLED_STEPS) options.onStalled?.(next)
      if (next > target || next === before) await clock.sleep(pollMs, stop)
    }
  } catch (error) {
    // A stop request is not a failure, because the next run repeats the aborted work.
    if (!signal.aborted || abort.aborted || error !== signal.reason) throw error
  }
  if (abort.aborted) throw abort.reason
  return { session, progress: progress() }
}

const proofOf = ({ proof = 'doubt' }: IndexOptions) => proof

const nextBlock = ({ state, lease }: IndexSession) =>
  state.checkpoint ? state.checkpoint.blockNumber + 1 : lease.scope.fromBlock

async function takeStep(
  session: IndexSession,
  { heads, target }: { heads: Heads; target: number },
): Promise<void> {
  const finalBlock = finalBlockOf(session.network, heads)
  await knowFinalBlock(session, { finalBlock, heads })
  if (!(await repairReorganisation(session, heads.head))) return
  const first = nextBlock(session)
  const lastFinal = Math.min(target, finalBlock)
  if (first <= lastFinal) {
    const linked = await readLinked(session, { first, finalBlock, heads })
    if (linked) await backfill(session, { first, last: lastFinal, linked }, finalBlock)
    else return
  } else if (first <= target) {
    // The answering node knows of fewer final blocks than an earlier node did, so its blocks up to `target` may be
    // orphaned. If these blocks were stored now, they would be final according to the checkpoint.
    if (first <= (session.state.checkpoint?.finalizedBlock ?? -1)) return
    await rememberAncestor(session)
    const range = rangeAtHead(session, { first, last: target })
    if (!isOffFinalChain(session, heads) && !(await followHead(session, range, finalBlock))) return
  } else await storeFinality(session, { first, finalBlock, heads })
  // Final blocks are forgotten only after the repair, because the repair searches the remembered blocks for the common
  // ancestor.
  if (await checkBelowStart(session)) await forgetFinalBlocks(session)
}

/**
 * Stores which indexed blocks have become final. Called if there is no block to index, because the run is at its last
 * block or the chain stands still. Does nothing if the final block does not belong to the chain of the indexed blocks.
 */
async function storeFinality(
  session: IndexSession,
  { first, finalBlock, heads }: { first: number; finalBlock: number; heads: Heads },
): Promise<void> {
  const { checkpoint } = session.state
  if (!checkpoint) return
  const { blockNumber: number, blockHash: hash, timestamp, finalizedBlock = -1 } = checkpoint
  if (Math.min(finalBlock, number) <= finalizedBlock || isOffFinalChain(session, heads)) return
  if (first <= finalBlock && !(await readLinked(session, { first, finalBlock, heads }))) return
  await moveCheckpoint(session, { number, hash, timestamp }, finalBlock)
}

/**
 * Whether the indexed block with the final block's number has another hash, and must therefore not be treated as final.
 */
const isOffFinalChain = ({ state: { checkpoint, recent } }: IndexSession, { finalized }: Heads): boolean =>
  [...recent, ...(checkpoint ? [checkpoint] : [])].some(
    block => block.blockNumber === finalized?.number && block.blockHash !== finalized.hash,
  )

/** Only this many headers are compared, because few reorganisations are deeper. */
const MOST_LINKED = 25

/**
 * Returns headers above the checkpoint, each the parent of the next, followed by an anchor: the final block's header
 * or, if `heads` lacks it, the head. Returns undefined if the first header does not follow the checkpoint's block, or
 * if the header with the anchor's number has another hash. The node that confirmed the checkpoint may still serve an
 * orphaned chain, and lack some blocks up to the final block. The headers then come from other nodes, perhaps behind
 * the same address, and only the parent hashes reveal the orphaned chain. The hashes are compared even if the
 * checkpoint's block is final, because an orphaned chain may begin above this block.
 */
async function readLinked(
  session: IndexSession,
  { first, finalBlock, heads: { head, finalized } }: { first: number; finalBlock: number; heads: Heads },
): Promise<BlockHeader[] | undefined> {
  const anchor = finalized?.number === finalBlock ? finalized : head
  const last = Math.min(anchor.number, first + MOST_LINKED - 1)
  const headers = await session.reader.readLinkedHeaders({ first, last }, session.stop)
  const isLinked =
    headers.every(({ number, hash }) => number !== anchor.number || hash === anchor.hash) &&
    headers.slice(0, 1).every(header => followsOnCheckpoint(session, header))
  return isLinked ? [...headers, anchor] : undefined
}

/** Sends a further request if `heads` lacks the final block's header. */
async function knowFinalBlock(
  { state, reader, stop }: IndexSession,
  { finalBlock, heads }: { finalBlock: number; heads: Heads },
): Promise<void> {
  if (finalBlock < 0 || state.final?.number === finalBlock) return
  const [header] =
    heads.finalized?.number === finalBlock ? [heads.finalized] : await reader.readHeaders([finalBlock], stop)
  state.final = header && { number: finalBlock, timestamp: header.timestamp }
}
