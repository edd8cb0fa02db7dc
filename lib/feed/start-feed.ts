import { BEGINNING } from '../events/place.ts'
import type { NumberedRevision } from '../events/revision.ts'
import { hasBudget } from '../query/budget.ts'
import { type FeedState, holdBack, type OpenLoad, type Places } from './feed-state.ts'
import { finalFrontiers } from './final-frontiers.ts'
import { isSurelyDead, loadsAfter } from './open-loads.ts'
import type { ParsedChanges } from './parse-changes.ts'
import { readFrontier } from './read-frontiers.ts'
import type { ChangeScope, TurnContext } from './turn.ts'

/**
 * The number of log entries per read. One read is usually enough, because few entries are recent enough to belong to a
 * load that is still running.
 */
const ENTRIES_AT_ONCE = 50

/** The reader gets the whole log, because the reader may still hold events that it received with an earlier cursor. */
export function startAtBeginning({ networks }: ChangeScope): FeedState {
  const places = Object.fromEntries(networks.map(network => [network, BEGINNING]))
  return { seen: 0, reported: 0, places, loads: [], isNew: true }
}

/**
 * The reader is treated as up to date, and gets only later changes. A reader of final events starts after the last
 * final block, because for this reader, an event is added when its block becomes final. On a network without a known
 * final block, the reader starts at the first event.
 */
export async function startNow(
  { scope, isFinal }: Pick<ParsedChanges, 'scope' | 'isFinal'>,
  context: TurnContext,
): Promise<FeedState> {
  const { store, changeStore } = context
  // The log is read before the places, so that a change between the two reads is reported twice rather than never.
  const log = await readEndOfLog(context)
  const before = await changeStore.readFrontiers()
  const { resting } = before
  const { networks } = scope
  const frontiers = isFinal ? await finalFrontiers(networks, before, store) : before.frontiers
  const places: Places = {}
  for (const network of networks) places[network] = await readFrontier(network, { store, frontiers })
  const held = resting.size > 0 ? holdBack(places, before, await changeStore.readFrontiers()) : places
  return { ...log, places: held, isNew: false }
}

async function readEndOfLog(context: TurnContext) {
  const { now } = context
  const revisions = await readYoungRevisions(context)
  const loads = revisions
    .toReversed()
    .filter(revision => !isSurelyDead(revision, now))
    .reduce((open: readonly OpenLoad[], revision) => loadsAfter(open, revision, now), [])
  return { seen: revisions[0]?.number ?? 0, seenAt: revisions[0]?.at, reported: 0, loads }
}

/**
 * Reads the log of revisions backward to an entry that is older than the last announcement of any running load. If many
 * events have just been removed, the budget may run out before that entry. The reader then learns of a running load
 * from its next announcement, and misses only events of a load that is killed before that announcement.
 */
async function readYoungRevisions(context: TurnContext): Promise<NumberedRevision[]> {
  const { changeStore, now, budget, cost } = context
  const revisions: NumberedRevision[] = []
  for (;;) {
    const range = { before: revisions.at(-1)?.number, limit: ENTRIES_AT_ONCE }
    const page = await changeStore.readNewestRevisions(range)
    revisions.push(...page.revisions)
    const oldest = revisions.at(-1)
    if (!page.isMore || !oldest || isSurelyDead(oldest, now) || !hasBudget(budget, cost)) return revisions
  }
}
