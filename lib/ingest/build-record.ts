import { isUtf8 } from 'node:buffer'
import { type EventRecord, eventRecordSchema, unevenLists } from '../events/record.ts'
import { recordBytes } from '../events/record-bytes.ts'
import { recordId } from '../events/record-id.ts'
import type { EventDecoder } from './event-decoders.ts'
import type { RawLog } from './raw-log.ts'
import { type Rejection, rejected } from './rejection.ts'

/**
 * The largest record, as it stands in a function's response, where its JSON is a text within JSON: there must be room
 * for one, and AWS Lambda returns at most 6 MB. Some 25,000 ids with their quantities fit, however long
 * they are, and many times as many short ones.
 */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024
/** What a hex digit of the data becomes there at most: two are one byte of a text, perhaps `\\u0001`. */
const MAX_BYTES_PER_DIGIT = 3.5
/** More than all that does not grow with the data. */
const FIXED_BYTES = 4096

export type DecodedLog = { record: EventRecord } | { rejection: Rejection }

interface DecodedValues {
  decoder: EventDecoder
  /** All indexed values, then all others. */
  values: readonly unknown[]
}

/**
 * The record of a decoded log. Rejects values that no record can hold: ids and quantities of different
 * number (EIP-1155 wants as many of each), a text that is not UTF-8 (JSON cannot carry it), and a record
 * above `MAX_RECORD_BYTES`.
 */
export function buildRecord(log: RawLog, { decoder, values }: DecodedValues): DecodedLog {
  const own: Record<string, unknown> & { tokenIds?: string[]; quantities?: string[] } = {}
  for (const field of decoder.fields) {
    const { name, list } = field
    const value = 'constant' in field ? field.constant : fieldValue(field.type, values[field.index])
    if (value === undefined) return rejected('bad-values', `${name} is not valid UTF-8`)
    own[name] = list && !Array.isArray(value) ? [value] : value
  }
  const uneven = unevenLists(own)
  if (uneven) return rejected('bad-values', uneven)
  const record = eventRecordSchema.parse({
    id: recordId(log),
    event: decoder.known.event,
    network: log.network,
    address: log.address,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    transactionHash: log.transactionHash,
    logIndex: log.logIndex,
    createdAt: new Date(log.blockTimestamp * 1000).toISOString(),
    ...own,
  })
  const large = tooLarge(record, log)
  return large ? rejected('bad-values', large) : { record }
}

/** A value as a record holds it; undefined for a text that is none. */
function fieldValue(type: string, value: unknown): string | string[] | undefined {
  if (type === 'address') return `0x${(value as bigint).toString(16).padStart(40, '0')}`
  if (type === 'string') return textOf(value as string)
  return Array.isArray(value) ? value.map(String) : String(value)
}

function textOf(hex: string): string | undefined {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

function tooLarge(record: EventRecord, { data }: RawLog): string | undefined {
  if (data.length * MAX_BYTES_PER_DIGIT + FIXED_BYTES <= MAX_RECORD_BYTES) return undefined
  const bytes = recordBytes(record)
  if (bytes <= MAX_RECORD_BYTES) return undefined
  return `its record takes ${bytes} bytes of an answer, and at most ${MAX_RECORD_BYTES} can be answered`
}
