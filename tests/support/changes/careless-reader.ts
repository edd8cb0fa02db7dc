import { type EventCopy, openCopy } from '../../../lib/callers/copies/open-copy.ts'
import {
  type ChangePage,
  type ChangesQuery,
  createEventsClient,
} from '../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Random } from '../records/random.ts'

/** The ways in which reading one page can fail. */
type Mishap = 'dies before storing' | 'stores, and loses the cursor' | 'no answer'

export interface CarelessReader {
  /**
   * Reads one page, and applies the page unless a mishap happens. Resolves with whether the copy was up to date. A call
   * during an unfinished call returns the result of the unfinished call, because a consumer must not read two pages at
   * once.
   */
  takeTurn(): Promise<boolean>
  /** Reads and applies pages without mishaps until the copy is up to date. */
  catchUp(): Promise<void>
  records(): Promise<EventRecord[]>
  mishaps: Record<Mishap, number>
  close(): Promise<void>
}

interface Reading {
  baseUrl: string
  query: ChangesQuery
  random: Random
}

const MANY_TURNS = 10_000

/**
 * Keeps a copy as carelessly as a consumer may. Pages have any size. The reader dies between reading and applying a
 * page, or between applying a page and storing its cursor. Failed requests are repeated.
 */
export function createCarelessReader({ baseUrl, query, random }: Reading): CarelessReader {
  const opening = openCopy('sqlite::memory:', { source: baseUrl })
  const client = createEventsClient(baseUrl, { retries: 0 })
  const mishaps: Record<Mishap, number> = {
    'dies before storing': 0,
    'stores, and loses the cursor': 0,
    'no answer': 0,
  }
  let cursor: string | undefined

  async function ask(limit: number) {
    try {
      return await client.changePage({ ...query, limit, from: 'beginning', cursor })
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'UnavailableError') throw error
      mishaps['no answer'] += 1
      return undefined
    }
  }

  /** Passes the copy's own cursor as `after`, so that the copy accepts any page. */
  async function apply(page: ChangePage) {
    const copy: EventCopy = await opening
    await copy.apply(page, { after: await copy.cursor() })
  }

  let underWay: Promise<boolean> | undefined

  async function readPage(): Promise<boolean> {
    const page = await ask(1 + random.below(40))
    if (!page) return false
    if (random.chance(0.05)) {
      mishaps['dies before storing'] += 1
      return false
    }
    await apply(page)
    if (random.chance(0.1)) {
      mishaps['stores, and loses the cursor'] += 1
      return false
    }
    cursor = page.next
    return page.isUpToDate
  }

  return {
    mishaps,
    takeTurn() {
      underWay ??= readPage().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    async catchUp() {
      await underWay
      for (let turn = 0; turn < MANY_TURNS; turn++) {
        const page = await ask(500)
        if (!page) continue
        await apply(page)
        cursor = page.next
        if (page.isUpToDate) return
      }
      throw new Error(`Not up to date after ${MANY_TURNS} turns`)
    },
    records: async () => (await opening).records(),
    close: async () => (await opening).close(),
  }
}
