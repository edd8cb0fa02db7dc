import type { EventRecord } from './record.ts'

/** What a record takes in a function's response, which Lambda limits: its JSON, escaped as a text within JSON. */
export const recordBytes = (record: EventRecord): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(record)))
