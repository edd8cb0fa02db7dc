import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { addTimes, type ParsedEntry } from './add-times.ts'
import type { FindBlocks } from './block-list.ts'
import type { DecodedLog } from './build-record.ts'
import { createInvariantCheck } from './check-invariants.ts'
import { decodeLog } from './decode-log.ts'
import { type Entry, MAX_ENTRY_BYTES } from './entry.ts'
import { decodersOf, type EventDecoders, type FurtherEvents } from './event-decoders.ts'
import { parseRawLog } from './raw-log.ts'
import { readEntries } from './read-entries.ts'
import { type Rejection, rejected } from './rejection.ts'

/** What became of one log: an event, nothing new, or nothing at all. */
type LogOutcome = { record: EventRecord } | 'duplicate' | { rejection: Rejection }

export interface ReadLog extends LogPlace {
  outcome: LogOutcome
}

interface LogPlace {
  file: string
  /** The line on which it begins, counted from 1 in each file. */
  line: number
  /** How it begins there. */
  beginning: string
  /** How far reading has come, over all files. */
  bytesRead: number
}

export interface ReadOptions extends FurtherEvents {
  signal?: AbortSignal | undefined
  /** The network of logs that do not name one, as those that nodes return. */
  network?: Network | undefined
  /** Finds when logs were made that do not say so. */
  findBlocks?: FindBlocks | undefined
}

/** Enough to recognise a line by. */
const SHOWN_CHARACTERS = 60

/**
 * Reads files of logs, one after the other, in any of the forms that `readEntries` takes, and tells of every log
 * what it is. The invariants of events are checked over all the files together.
 */
export async function* readEvents(
  files: readonly string[],
  { signal, network, findBlocks, erc721 }: ReadOptions = {},
): AsyncGenerator<ReadLog> {
  const checkInvariants = createInvariantCheck()
  const decoders = decodersOf({ erc721 })
  const entries = parsedEntries(files, { signal, network })
  for await (const entry of findBlocks ? addTimes(entries, findBlocks) : entries) {
    const { file, line, beginning, bytesRead } = entry
    yield { file, line, beginning, bytesRead, outcome: outcomeOf(entry) }
  }

  function outcomeOf(entry: ParsedEntry<LogPlace>): LogOutcome {
    const read = 'rejection' in entry ? { rejection: entry.rejection } : readLog(entry.value, decoders)
    if ('rejection' in read) return read
    const verdict = checkInvariants(read.record)
    return verdict === 'new' ? read : verdict
  }
}

async function* parsedEntries(
  files: readonly string[],
  { signal, network }: ReadOptions,
): AsyncGenerator<ParsedEntry<LogPlace>> {
  let bytesBefore = 0
  for (const file of files) {
    let bytesInFile = 0
    for await (const entry of readEntries(file, { signal })) {
      const { number: line, text = '', bytesRead } = entry
      bytesInFile = bytesRead
      const beginning = text.slice(0, SHOWN_CHARACTERS)
      yield { file, line, beginning, bytesRead: bytesBefore + bytesRead, ...parse(entry, network) }
    }
    bytesBefore += bytesInFile
  }
}

function parse(
  { text, isCutOff }: Entry,
  network: Network | undefined,
): { value: unknown } | { rejection: Rejection } {
  if (isCutOff) return rejected('cut-off', 'the file ends here, within a log or a list: it is cut off')
  if (text === undefined) {
    return rejected('malformed', `a log of more than ${MAX_ENTRY_BYTES} bytes is not read`)
  }
  try {
    const value: unknown = JSON.parse(text)
    const isWithout = network && typeof value === 'object' && value !== null && !('network' in value)
    return { value: isWithout ? { ...value, network } : value }
  } catch {
    return rejected('malformed', 'not JSON')
  }
}

function readLog(value: unknown, decoders: EventDecoders): DecodedLog {
  const refusal = refusalIn(value)
  if (refusal !== undefined) return rejected('malformed', refusal)
  const parsed = parseRawLog(value)
  return 'rejection' in parsed ? parsed : decodeLog(parsed.log, decoders)
}

/** Why a node's reply holds nothing. */
function refusalIn(value: unknown): string | undefined {
  const { jsonrpc, error } = (value ?? {}) as { jsonrpc?: unknown; error?: { message?: unknown } }
  return jsonrpc === undefined
    ? undefined
    : `a node's reply without logs: ${error?.message ?? 'it has no result, or stands among other lines'}`
}
