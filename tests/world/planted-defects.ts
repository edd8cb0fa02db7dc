import { globSync } from 'node:fs'
import { defectsIn, type PlantedDefect } from './planted-defect.ts'

/** A defect that only one actor can find is in the actor's folder, so that both can be deleted together. */
const OF_ACTORS: { DEFECTS: readonly PlantedDefect[] }[] = await Promise.all(
  globSync('actors/*/*-defects.ts', { cwd: import.meta.dirname })
    .sort()
    .map(file => import(`./${file}`)),
)

export const PLANTED_DEFECTS: readonly PlantedDefect[] = [
  ...defectsIn('lib/store/leases/hold-lease.ts', {
    'fence-unchecked: A writer changes the checkpoint although another writer has the lease.':
      '`{+(+}#fence = :fence{+ OR attribute_exists(#renewals))+}${',
    'lease-not-renewed-before-writes: A writer sends requests although its lease has expired.':
      '[-while (!isFresh()) await update({})-]',
  }),
  ...defectsIn('lib/store/leases/acquire-lease.ts', {
    'lease-taken-at-once: A writer takes the lease of a writer that is alive.':
      '{+(+}ofHolder - (clock.now() - watchedSince){+) * 0+}',
    'claim-unconditional: Two writers that claim the lease at the same time both get it.':
      "'#fence = :seenFence [-AND-]{+OR+} #renewals = :seenRenewals{+ OR attribute_exists(#fence)+}'",
    'watch-forgotten: An invocation forgets for how long it has watched a lease.':
      'if (signal?.aborted && seen[-?.leased-]{+ === undefined+}) await recordWatch',
  }),
  ...defectsIn('lib/store/writing/delete-events.ts', {
    'delete-all-first: A removal deletes the item in `all` before the other items.':
      'events.flatMap(({ items }) => items.[-slice(1)-]{+toReversed().slice(0, 0)+})',
    'chunks-left: A removal leaves the chunks of long fields.': '[-await remove(chunkKeys(block))-]',
  }),
  ...defectsIn('lib/store/writing/put-items.ts', {
    'unprocessed-dropped: Items that DynamoDB did not process are forgotten.':
      'requests = [-unprocessed-]{+[]+}',
  }),
  ...defectsIn('lib/store/writing/write-events.ts', {
    'lists-before-all: Recent events are written into other lists before `all`.':
      '[-await storeFirst(distinct(group.map(({ entries }) => entries[0] as Item)))\n    -]for (const { entries } of group) {\n      for (const entry of entries.[-slice(1)-]{+toReversed()+}) {',
  }),
  ...defectsIn('lib/store/writing/append-revision.ts', {
    'revision-lost-in-race: An entry of the log counts as stored although another entry has taken its number.':
      '[-if (!(-]await isMet(() => client.send(command), table)[-) && (await readText(key, table)) !== text) continue-]',
    'newest-revision-expires: The newest entry of the log gets an expiry date.':
      '[-if (newest > 0) -]await letExpire(newest{+ + 1+},',
    'revisions-expire-at-once: Entries of the log expire a thousand times too early.':
      'expires: at + keptDays[- * SECONDS_PER_DAY-]',
  }),
  ...defectsIn('lib/ingest/indexer/repair-reorganisation.ts', {
    'lacked-is-replaced: An indexer removes the events of blocks that a lagging node lacks.':
      'const isReplaced = header[- !== undefined && header-]{+?+}.hash !== block.blockHash',
    'lacking-node-trusted: A checkpoint passes remembered blocks because a node lacks them.':
      'reader.readHeaders(numbers, stop[-, neededThrough-])',
    'removal-before-revision: Orphaned events are removed before the log records the removal.':
      '[-await logRevision(session, records)\n  -]for (const each of found) await deleteEvents(each, table){+\n  await logRevision(session, records)+}',
    'revision-left-out: A reorganisation is not recorded in the log.':
      '[-await logRevision(session, records)-]',
    'checkpoint-stays: The checkpoint stays on an orphaned block while its events are removed.':
      'if (hasLeft{+ && session.state.recent.length === 1+}) await moveBack(session, head)',
    'orphans-left: Remembered blocks above the checkpoint are not checked for orphans.':
      'const isCleared = {+above.length <= 2 || (+}await clearOrphans(session, { above, head }){+)+}',
    'ancestor-by-number: The common ancestor is found by its number alone.':
      'header?.[-hash === block.blockHash-]{+number === block.blockNumber+})\n    if (found)',
    'one-reply-violates-finality: A final block counts as replaced because of a single reply.':
      'if ([-await reader.isAnyOnChain([nameOf(block)], stop)-]{+(await reader.readHeaders([block.blockNumber], stop))[0]?.hash === block.blockHash+}) return block',
  }),
  ...defectsIn('lib/ingest/indexer/follow-head.ts', {
    'checkpoint-before-events: The checkpoint moves before the events of its blocks are stored.':
      '{+await moveCheckpoint(session, last.header, finalBlock)\n  +}counts.writeUnits += (await writeEvents({ ...table, client: session.writer }, records)).writeUnits[-\n  await moveCheckpoint(session, last.header, finalBlock)-]',
    'block-not-remembered: The blocks at the head are not remembered.':
      '[-await remember(session, remembered)-]{+session.state.recent = [...session.state.recent]+}',
    'parent-unchecked-at-head: Blocks are added at the head although they do not follow the checkpoint.':
      '[-|| !followsOnCheckpoint(session, first.header)-]',
    'replaced-block-kept: A remembered block of a dead run is overlooked if another block has its number.':
      '[-if (state.recent.some(isReplaced)) return false-]',
    'recent-forgotten-early: Blocks that may still leave the chain are forgotten.':
      '[-Math.min(finalizedBlock, blockNumber)-]{+finalizedBlock - finalizedBlock + blockNumber+}',
    'chunk-lists-lost: A block that is remembered again, for other contracts, loses the chunks of its earlier events.':
      'return [-known ? addChunkLists(block, known.chunkLists) : -]block',
  }),
  ...defectsIn('lib/ingest/indexer/index-network.ts', {
    'links-to-final-unchecked: A backfill begins at a checkpoint although only one header, perhaps of an orphaned chain, follows it.':
      'const MOST_LINKED = [-25-]{+1+}',
    'one-link-from-final: A backfill begins at a final checkpoint although only one header, perhaps of an orphaned chain, follows it.':
      '{+const { blockNumber = -1, finalizedBlock = -1 } = session.state.checkpoint ?? {}\n  +}const last = {+blockNumber <= finalizedBlock ? first : +}Math.min(anchor.number, first + MOST_LINKED - 1)',
    'always-at-rest: A run that ends with unfinished work says that it has finished.':
      'atRest = [-isAtRest(session.state.recent, session.state.checkpoint)-]{+true+}',
    'released-in-flight: A writer releases its lease while requests have an unknown outcome.':
      'release: [-!options.abort?.aborted && fenced.isQuiet(leaseMs / 2)-]{+true+}',
    'rest-lost-by-vain-run: A run that ends before its first change removes the mark that nothing is stored above the checkpoint.':
      'let atRest = [-lease.wasAtRest-]{+false+}',
    'other-block-final: An indexed block counts as final because of its number, although another block with this number is final.':
      '[-!isOffFinalChain(session, heads) && -]!(await followHead(',
  }),
  ...defectsIn('lib/ingest/indexer/log-revision.ts', {
    'start-unlogged: A run that may add events at lower places does not announce itself.':
      'if (mayAdd [-||-]{+&&+} (await hasEventsBehind',
  }),
  ...defectsIn('lib/ingest/indexer/backfill.ts', {
    'backfill-mark-off-by-one: The backfill moves its checkpoint one event too early.':
      'mark => mark.events > stored{+ + 1+})',
  }),
  ...defectsIn('lib/chain/nodes/finality.ts', {
    'head-is-final: The newest block counts as final.':
      '[-finalized?.number-]{+(finalized && head.number)+} ??',
  }),
  ...defectsIn('lib/feed/replay-revisions.ts', {
    'places-stay: An entry of the log does not move a reader back.':
      'places[-: isAtWork ? places : goBack(places, revision.places)-],',
    'gap-ignored: A reader does not notice that entries of the log have expired.':
      '[-if (!isNext && !state.isNew) throw new CursorExpiredError()-]',
    'removals-repeat: Each page of the removals of an entry begins again with the first removal.':
      'const from = [-isNext ? state.reported : -]0',
    'removals-cut: If an entry has more removals than fit on a page, the rest are left out.':
      'if (upTo < [-removed.length-]{+0+}) {',
    'filtered-removals: Removals of one kind of event are not reported.':
      "return {+event !== 'MintedBatch' && +}(filters.event?.includes(event) ?? true)",
  }),
  ...defectsIn('lib/feed/open-loads.ts', {
    'dead-load-ignored: A load that died does not move readers back.':
      'places: [-dead.reduce((places, load) => goBack(places, load.places), state.places)-]{+state.places+},',
  }),
  ...defectsIn('lib/feed/read-frontiers.ts', {
    'frontier-ignored: Readers of the feed read above the checkpoint.':
      'checkpoints.filter([-({ isAtRest }) => !isAtRest-]{+() => false+})',
    'idle-reads-page: To see that it is up to date, a reader reads a hundred of the newest events instead of one.':
      'limit: [-1-]{+100+},',
  }),
  ...defectsIn('lib/feed/answer-changes.ts', {
    'other-table-read-on: A reader of a restored table continues with a cursor of the original table.':
      'state.table !== undefined &&{+ false &&+}',
    'resting-not-read-again: A reader does not notice an indexer that started during its read.':
      'const held = isDoubtful {+&& false +}?',
  }),
  ...defectsIn('lib/feed/read-additions.ts', {
    'feed-reads-stale: The feed reads events from a stale replica.': 'isConsistent: [-true-]{+false+}',
    'idle-place-stays: A reader stays at its last match instead of the last event.':
      'return { records, place: [-frontier-]{+after+}, isEnd: true }',
  }),
  ...defectsIn('lib/chain/proof/prove-logs.ts', {
    'receipts-root-unchecked: Receipts count as proof of a block, whatever their root is.':
      "return [-orderedTrieRoot(values) === block.receiptsRoot-]{+block.receiptsRoot !== ''+}",
  }),
  ...defectsIn('lib/chain/nodes/settle-doubt.ts', {
    'bloom-unchecked: A reply without logs is accepted although the block’s Bloom filter shows that there are some.':
      'return { header, logs, doubt: [-findDoubt(header, logs)-]{+undefined+} }',
    'part-believed: A reply that lacks some of a contract’s logs is accepted.':
      "if (isAdmitted && contracts [-!== 'any'-]{+=== undefined+}) {",
  }),
  ...defectsIn('lib/chain/nodes/check-replies.ts', {
    'log-of-other-block: A log that names another block is accepted.':
      'if (log.blockHash [-!== header.hash || log.blockTimestamp !== header.timestamp-]{+=== header.parentHash+}) {',
    'links-unchecked: Consecutive blocks are accepted although one is not the parent of the next.':
      'if (parent && header.[-parentHash !== parent.hash-]{+number === parent.number+}) {',
  }),
  ...defectsIn('lib/query/min-block/require-indexed.ts', {
    'min-block-one-short: minBlock counts as reached when only the block before it is indexed.':
      'indexedBlock >= minBlock{+ - 1+}',
  }),
  ...defectsIn('lib/query/indexed-through.ts', {
    'index-believed: A block number is read from an index that may lag, although minBlock is given.':
      'at [-+ INDEX_LAG_SECONDS-]{+<= now+} + CLOCK_DIFFERENCE_SECONDS[- <= now-])',
  }),
  ...defectsIn('lib/query/streams/read-lists.ts', {
    'empty-range-read: A read of a list continues although it has reached the end of its span.':
      '[- || isAtEnd(frontier)-]',
  }),
  ...defectsIn('lib/query/streams/merge-parts.ts', {
    'passed-rows-repeated: A page that reads a network again from its start repeats events of earlier pages.':
      '[-for (const stream of streams) dropUpTo(stream, takenThrough, compare)-]',
  }),
  ...defectsIn('lib/store/try-again.ts', {
    'write-gives-up: A write gives up at its first failure.': 'if (tries >= [-maxTries-]{+1+}) throw',
  }),
  ...defectsIn('lib/feed/final-frontiers.ts', {
    'final-event-sent-early: A receiver of final events gets events that are not final.':
      '[-earlier(final, -]frontiers.get(network) ?? final[-)-]',
  }),
  ...defectsIn('lib/store/reading/read-checkpoints.ts', {
    'lease-without-checkpoint-at-work: A network counts as being written to although its writer ended before the first checkpoint.':
      '[-(item.atRest?.BOOL === true || item.blockNumber === undefined)-]{+item.atRest?.BOOL === true+}',
  }),
  ...defectsIn('lib/client/client-errors.ts', {
    'foreign-answer-believed: A gateway’s 410 counts as the service’s own.':
      "return typeof type === 'string'[- && OWN_TYPE.test(type)-]",
  }),
  ...defectsIn('lib/query/answer-query.ts', {
    'walk-ends-behind: A walk over final events ends although an earlier page knew a higher final block.':
      '    isBehind = [-true-]{+false+}',
    'walk-forgets-finality: A page of a walk uses the current final blocks, although an earlier page knew higher ones.':
      'if (now >= before{+ || before > 0+}) continue',
  }),
  ...defectsIn('lib/chain/nodes/read-final-block.ts', {
    'haste-believed: A node’s claim that the head is final is believed.':
      'if (!finalized || [-isFarEnough(finalized)-]{+finalized.number >= 0+}) return finalized',
  }),
  ...defectsIn('lib/ingest/indexer/agree-on-scope.ts', {
    'left-out-incomplete: A restart with a narrower scope does not complete what a killed run has stored in part.':
      '[-await writeEvents({ ...options, signal: abort }, eventsLeftOut(lease, options))-]',
  }),
  ...defectsIn('lib/ingest/indexer/index-session.ts', {
    'finality-unrecorded: The checkpoint does not record the final block.':
      '[-...(finalizedBlock >= 0 && { finalizedBlock }),-]',
  }),
  ...defectsIn('lib/chain/nodes/read-chain.ts', {
    'lagging-node-disbelieved: A block counts as orphaned because a node lacks it.':
      'if ([-unsure.length === 0-]{+errors.length > 0+}) return false',
  }),
  ...OF_ACTORS.flatMap(({ DEFECTS }) => DEFECTS),
]
