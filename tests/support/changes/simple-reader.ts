import type { EventRecord } from '../../../lib/events/record.ts'
import type { Change } from '../../../lib/feed/turn.ts'
import type { LambdaHandler } from '../http/ask.ts'
import { lambdaContext } from '../http/http-events.ts'

export interface SimpleReader {
  /** Returns whether the copy is up to date. */
  takeTurn(): Promise<boolean>
  catchUp(): Promise<void>
  /** Sorted by id. */
  records(): EventRecord[]
  /** The clone has the same copy and the same cursor. */
  clone(): SimpleReader
}

interface Reading {
  query?: Record<string, string | number | readonly string[]>
  cursor?: string
  copy?: ReadonlyMap<string, EventRecord>
}

interface Turn {
  changes: Change[]
  next: string
  partial: boolean
}

const MANY_TURNS = 10_000

/** The consumer that the interface describes. It stores `added` events by id, and deletes `removed` events. */
export function createSimpleReader(handler: LambdaHandler, reading: Reading = {}): SimpleReader {
  const { query = {} } = reading
  const copy = new Map(reading.copy)
  let { cursor } = reading

  async function takeTurn(): Promise<boolean> {
    const asked = cursor === undefined ? { from: 'beginning' } : { cursor }
    const { changes, next, partial } = (await handler(
      { query: { ...query, ...asked } },
      lambdaContext(),
    )) as Turn
    for (const each of changes) {
      if (each.change === 'added') copy.set(each.record.id, each.record)
      else copy.delete(each.record.id)
    }
    cursor = next
    return changes.length === 0 && !partial
  }

  return {
    takeTurn,
    async catchUp() {
      for (let turn = 0; turn < MANY_TURNS; turn++) if (await takeTurn()) return
      throw new Error(`There was more to tell after ${MANY_TURNS} turns`)
    },
    records: () => [...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    clone: () => createSimpleReader(handler, { query, copy, ...(cursor !== undefined && { cursor }) }),
  }
}
