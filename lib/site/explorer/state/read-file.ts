import type { EventsClient } from '../../../client/create-events-client.ts'
import { type Question, tokenIdOf } from '../question/question.ts'
import { MOST_AT_ONCE, requestOf } from '../question/request-of.ts'
import { markCsv } from '../show/mark-csv.ts'

interface ReadFileOptions {
  client: EventsClient
  format: 'csv' | 'ndjson'
  signal: AbortSignal
  /** `records` is the number of events read so far. */
  onRead: (records: number) => void
}

/** Returns all events of a question as the text of a file, and their number. Throws the client's errors. */
export async function readFile(question: Question, { client, format, signal, onRead }: ReadFileOptions) {
  const { endpoint, address, query } = requestOf(question, { limit: MOST_AT_ONCE })
  const options = { format, signal }
  const parts =
    endpoint === 'user-events'
      ? client.exportUserEvents(address, query, options)
      : client.exportTokenEvents(query, options)
  let [text, records] = ['', 0]
  for await (const part of parts) {
    text += part.text
    records += part.records
    onRead(records)
  }
  return { text: format === 'csv' ? markCsv(text, tokenIdOf(question)) : text, records }
}
