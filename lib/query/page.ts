import type { EventRecord } from '../events/record.ts'
import type { Position } from './position.ts'

/** Where a page begins, and how long it may be. */
export interface PageStart {
  /** Go on behind this position; undefined for the beginning of the answer. */
  from: Position | undefined
  /** Records still to leave out from there. */
  skip: number
  limit: number
}

export interface Page {
  records: EventRecord[]
  /** Where the next page begins; undefined at the end of the answer. */
  next: Pick<PageStart, 'from' | 'skip'> | undefined
  /** The budget ended the reading before the page was full or the end was seen. */
  isPartial: boolean
}
