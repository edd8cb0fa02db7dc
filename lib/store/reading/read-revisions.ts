import type { NumberedRevision } from '../../events/revision.ts'
import { PLACE_KEY, REVISIONS_LIST } from '../format/keys.ts'
import { parseRevision, REVISION, revisionKey } from '../format/revision-item.ts'
import { eachItem, type PartitionTable } from './read-partition.ts'

/** Yields the entries of the log of revisions in ascending order of their numbers. Throws `CorruptRowError`. */
export async function* readRevisions(table: PartitionTable, from = 1): AsyncGenerator<NumberedRevision> {
  const span = { first: revisionKey(from)[PLACE_KEY], last: '~' }
  for await (const item of eachItem(table, { list: REVISIONS_LIST, span }))
    yield parseRevision(String(item[PLACE_KEY]), String(item[REVISION]))
}
