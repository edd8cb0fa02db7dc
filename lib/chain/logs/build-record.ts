import { isUtf8 } from 'node:buffer'
import { type EventRecord, eventRecordSchema, unevenLists } from '../../events/record.ts'
import { MAX_RECORD_BYTES, recordBytes, recordId } from '../../events/record-fields.ts'
import type { EventDecoder } from './event-decoders.ts'
import { type RawLog, type Rejection, rejected } from './raw-log.ts'

/**
 * A byte of text takes two hex digits in the data, but up to 7 bytes in a response, whose JSON is escaped (`\\u0001`).
 */
const MAX_BYTES_PER_DIGIT = 3.5
/** An upper bound for the total size, in bytes, of the parts of a record that do not depend on the log's data. */
const FIXED_BYTES = 4096

export type DecodedLog = { record: EventRecord } | { rejection: Rejection }

interface DecodedValues {
  decoder: EventDecoder
  /** The values from the topics, followed by the values from the data. */
  values: readonly unknown[]
}

/** Rejects records over `MAX_RECORD_BYTES`, unequal numbers of ids and quantities (EIP-1155), and invalid UTF-8. */
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

/** Undefined for bytes that are not UTF-8. */
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
  return `its record would take ${bytes} bytes of a response, but the limit is ${MAX_RECORD_BYTES}`
}
