import { NETWORKS, type Network } from '../../events/networks.ts'
import { placeOf } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { CorruptRowError } from '../../query/errors.ts'
import type { EventTable } from '../../store/event-table.ts'
import { parseLeaseState } from '../../store/format/checkpoint.ts'
import { type Item, itemsFor } from '../../store/format/event-items.ts'
import {
  blockTimesList,
  CHECKPOINTS_LIST,
  LIST_KEY,
  listKey,
  PLACE_KEY,
  REVISIONS_LIST,
  SUBSCRIPTIONS_LIST,
} from '../../store/format/keys.ts'
import { parseRevision, REVISION } from '../../store/format/revision-item.ts'
import { FORM_KEY } from '../../store/format/table-form.ts'
import { scanEvents, scanItems, scanPartition } from '../../store/reading/scan-table.ts'
import { recentBlockSchema, recentBlocksList } from '../../store/writing/recent-blocks.ts'
import { createInvariantCheck } from '../load/check-invariants.ts'
import { bucketOf, createItemDiff, createItemSums, type ItemProblem } from './compare-items.ts'

export interface VerifyOptions extends EventTable {
  onProblem: (problem: ItemProblem) => void
  onProgress?: (progress: { step: string; rows: number }) => void
}

export interface VerifySummary {
  events: number
  items: number
  problems: number
}

/**
 * Checks that a table is consistent. Every list to which an event belongs must contain the event exactly once, with the
 * right keys and sizes, and with the same content in all lists. The table must have no further items, and all
 * invariants must hold. Reads the `all` lists and the whole table once, and then once more for each group of up to 64
 * buckets whose sums (see `createItemSums`) differ. Concurrent writes may be reported as problems.
 */
export async function verifyTable(options: VerifyOptions): Promise<VerifySummary> {
  const summary: VerifySummary = { events: 0, items: 0, problems: 0 }
  const report = (problem: ItemProblem) => {
    summary.problems += 1
    options.onProblem(problem)
  }
  const sums = createItemSums()
  const recent = await readBookkeeping({ ...options, report })
  for (const network of options.networks ?? NETWORKS) {
    const checkChain = createChainCheck(network, { recent, report })
    const checkTimes = createTimesCheck(network, { times: await readTimes(options, network), report })
    for await (const event of scanEvents(options, network)) {
      if (!checkChain(event)) continue
      checkTimes(event)
      for (const item of itemsOfEvent(event, options)) sums.expect(item)
      summary.events += 1
      if (summary.events % 1000 === 0) options.onProgress?.({ step: 'events', rows: summary.events })
    }
  }
  for await (const item of eventItems(options)) {
    sums.find(item)
    summary.items += 1
    if (summary.items % 1000 === 0) options.onProgress?.({ step: 'items', rows: summary.items })
  }
  for (const buckets of sums.unequal()) await explain(buckets, { ...options, report })
  return summary
}

type RecentHashes = Map<Network, Map<number, Set<string>>>
type Report = (problem: ItemProblem) => void

async function readBookkeeping({ report, ...table }: EventTable & { report: Report }): Promise<RecentHashes> {
  const check = (item: Item, parse: (item: Item) => void) => {
    try {
      parse(item)
    } catch (error) {
      const message = `the item is malformed: ${(error as Error).message.replace(/\s+/g, ' ')}`
      report({ list: String(item[LIST_KEY]), place: String(item[PLACE_KEY]), message })
    }
  }
  for await (const item of scanPartition(table, CHECKPOINTS_LIST)) {
    if (item[PLACE_KEY] !== FORM_KEY[PLACE_KEY]) check(item, parseLeaseState)
  }
  for await (const item of scanPartition(table, REVISIONS_LIST)) {
    check(item, ({ [PLACE_KEY]: place, [REVISION]: text }) => parseRevision(String(place), String(text)))
  }
  const recent: RecentHashes = new Map()
  for (const network of NETWORKS) {
    const blocks = new Map<number, Set<string>>()
    recent.set(network, blocks)
    for await (const item of scanPartition(table, recentBlocksList(network))) {
      check(item, candidate => {
        const { blockNumber, blockHash } = recentBlockSchema.parse(candidate)
        blocks.set(blockNumber, (blocks.get(blockNumber) ?? new Set()).add(blockHash))
      })
    }
  }
  return recent
}

/** The returned function returns false for an unreadable row, which all further checks must skip. */
function createChainCheck(network: Network, { recent, report }: { recent: RecentHashes; report: Report }) {
  const checkInvariants = createInvariantCheck()
  const list = listKey({ of: 'all' }, network)
  return (event: EventRecord | CorruptRowError): event is EventRecord => {
    if (event instanceof CorruptRowError) {
      const cause = event.cause instanceof Error ? `: ${event.cause.message.replace(/\s+/g, ' ')}` : ''
      report({ list, place: '', message: `${event.message}${cause}` })
      return false
    }
    const place = placeOf(event)
    const verdict = checkInvariants(event)
    if (typeof verdict === 'object') report({ list, place, message: verdict.rejection.reason })
    const known = recent.get(network)?.get(event.blockNumber)
    if (known && !known.has(event.blockHash)) {
      report({ list, place, message: `the event's block ${event.blockHash} is not on the chain` })
    }
    return true
  }
}

interface NotedTime {
  place: string
  blockNumber: number
  timestamp: number
}

/** Reads the stored block times in ascending order of block numbers. */
async function readTimes(table: EventTable, network: Network): Promise<NotedTime[]> {
  const times: NotedTime[] = []
  for await (const { [PLACE_KEY]: place, timestamp } of scanPartition(table, blockTimesList(network))) {
    times.push({ place: String(place), blockNumber: Number(place), timestamp: Number(timestamp) })
  }
  return times
}

/** The returned function must be called in ascending order of block numbers. */
function createTimesCheck(network: Network, { times, report }: { times: NotedTime[]; report: Report }) {
  const list = blockTimesList(network)
  const told = new Set<NotedTime>()
  let next = 0
  return ({ blockNumber, createdAt }: EventRecord): void => {
    const seconds = Date.parse(createdAt) / 1000
    while ((times[next]?.blockNumber ?? blockNumber) < blockNumber) next += 1
    const [before, behind] = [times[next - 1], times[next]]
    const isSame = behind?.blockNumber === blockNumber
    for (const time of [
      before && before.timestamp > seconds ? before : undefined,
      behind && (behind.timestamp < seconds || (isSame && behind.timestamp !== seconds)) ? behind : undefined,
    ]) {
      if (!time || told.has(time)) continue
      told.add(time)
      report({
        list,
        place: time.place,
        message: `the stored time contradicts block ${blockNumber}, which has the time ${createdAt}`,
      })
    }
  }
}

function itemsOfEvent(event: EventRecord, { networks }: EventTable): Item[] {
  const { chunks, entries } = itemsFor(networks)(event)
  return [...chunks, ...entries]
}

async function* eventItems(table: EventTable): AsyncGenerator<Item> {
  const others = new Set<unknown>([
    CHECKPOINTS_LIST,
    REVISIONS_LIST,
    SUBSCRIPTIONS_LIST,
    ...NETWORKS.map(recentBlocksList),
    ...NETWORKS.map(blockTimesList),
  ])
  for await (const item of scanItems(table)) if (!others.has(item[LIST_KEY])) yield item
}

async function explain(buckets: ReadonlySet<number>, { report, ...table }: EventTable & { report: Report }) {
  const diff = createItemDiff(report)
  for (const network of table.networks ?? NETWORKS) {
    for await (const event of scanEvents(table, network)) {
      if (event instanceof CorruptRowError) continue
      for (const item of itemsOfEvent(event, table)) if (buckets.has(bucketOf(item))) diff.expect(item)
    }
  }
  for await (const item of eventItems(table)) if (buckets.has(bucketOf(item))) diff.find(item)
  diff.finish()
}
