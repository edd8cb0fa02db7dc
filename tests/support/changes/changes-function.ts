import type { ChangeStore } from '../../../lib/feed/change-store.ts'
import { createChangesHandler } from '../../../lib/feed/create-changes-handler.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import type { LambdaHandler } from '../http/ask.ts'

interface ServeOptions {
  publicBaseUrl?: string
  now?: () => number
  /** Awaited after each read from the table. */
  behindReading?: () => Promise<void>
}

export function changesFunction(table: EventTable, options: ServeOptions = {}): LambdaHandler {
  const { behindReading = async () => undefined, ...others } = options
  const behind = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const answered = await answer
    await behindReading()
    return answered
  }
  const events = createDynamoEventStore(table)
  const changes = createDynamoChangeStore(table)
  const store: EventStore = { ...events, readList: (...reading) => behind(events.readList(...reading)) }
  const changeStore: ChangeStore = {
    readRevisions: (...reading) => behind(changes.readRevisions(...reading)),
    readNewestRevisions: (...reading) => behind(changes.readNewestRevisions(...reading)),
    readFrontiers: (...reading) => behind(changes.readFrontiers(...reading)),
  }
  return createChangesHandler({ store, changeStore, ...others }) as unknown as LambdaHandler
}
