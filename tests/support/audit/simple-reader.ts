import type { EventRecord } from '../../../lib/events/record.ts'
import type { Change } from '../../../lib/feed/turn.ts'
import type { LambdaHandler } from '../http/ask.ts'
import { lambdaContext } from '../http/http-events.ts'

interface Turn {
  changes: Change[]
  next: string
  partial: boolean
}

const MANY_TURNS = 10_000

/** A consumer as the interface describes it: it stores `added` events by id, and deletes `removed` events. */
export function createSimpleReader(handler: LambdaHandler) {
  const copy = new Map<string, EventRecord>()
  let cursor: string | undefined

  /** Returns whether the copy is up to date. */
  async function takeTurn(): Promise<boolean> {
    const query = cursor === undefined ? { from: 'beginning' } : { cursor }
    const { changes, next, partial } = (await handler({ query }, lambdaContext())) as Turn
    for (const each of changes) {
      if (each.change === 'added') copy.set(each.record.id, each.record)
      else copy.delete(each.record.id)
    }
    cursor = next
    return changes.length === 0 && !partial
  }

  return {
    async catchUp(): Promise<void> {
      for (let turn = 0; turn < MANY_TURNS; turn++) if (await takeTurn()) return
      throw new Error(`The reader is not up to date after ${MANY_TURNS} turns`)
    },
    records: (): EventRecord[] => [...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
