import type { DecodedLog } from '../../chain/logs/build-record.ts'
import { decodeLog } from '../../chain/logs/decode-log.ts'
import { decodersOf, type EventDecoders, type FurtherEvents } from '../../chain/logs/event-decoders.ts'
import { hasTime, parseRawLog, type Rejection, rejected } from '../../chain/logs/raw-log.ts'
import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { addTimes, type ParsedEntry } from './add-times.ts'
import type { FindBlocks } from './block-list.ts'
import { createInvariantCheck } from './check-invariants.ts'
import { type Entry, MAX_ENTRY_BYTES } from './entry.ts'
import { readEntries } from './read-entries.ts'

type LogOutcome = { record: EventRecord } | 'duplicate' | { rejection: Rejection }

export interface ReadLog extends LogPlace {
  outcome: LogOutcome
}

interface LogPlace {
  file: string
  /** The line on which the log begins, counted from 1 in each file. */
  line: number
  beginning: string
  /** The number of bytes read so far from all files. */
  bytesRead: number
}

export interface ReadOptions extends FurtherEvents {
  signal?: AbortSignal | undefined
  /** The network of all logs without a `network` field, such as logs from nodes. */
  network?: Network | undefined
  /** The networks whose logs are accepted, by default all. */
  networks?: readonly Network[] | undefined
  /** Finds the blocks of logs without a time. */
  findBlocks?: FindBlocks | undefined
}

/** The number of characters reported from the beginning of a log, enough for users to recognise the log. */
const SHOWN_CHARACTERS = 60

const NO_TIME = 'blockTimestamp is 0, which some nodes send instead of the time'

/** Reads files in the forms that `readEntries` accepts, and checks the invariants across all files. */
export async function* readEvents(
  files: readonly string[],
  { signal, network, networks, findBlocks, erc721 }: ReadOptions = {},
): AsyncGenerator<ReadLog> {
  const checkInvariants = createInvariantCheck()
  const decoders = decodersOf({ erc721 })
  const entries = parsedEntries(files, { signal, network })
  for await (const entry of findBlocks ? addTimes(entries, findBlocks) : entries) {
    const { file, line, beginning, bytesRead } = entry
    yield { file, line, beginning, bytesRead, outcome: outcomeOf(entry) }
  }

  function outcomeOf(entry: ParsedEntry<LogPlace>): LogOutcome {
    const read = 'rejection' in entry ? { rejection: entry.rejection } : decodeEntry(entry.value, decoders)
    if ('rejection' in read) return read
    const found = read.record.network
    if (networks && !networks.includes(found)) {
      return rejected(
        'other-network',
        `its network is ${found}, but the table stores only ${networks.join(', ')}`,
      )
    }
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
    for await (const entry of readEntries(file, signal)) {
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
  if (isCutOff) return rejected('cut-off', 'the file is truncated: it ends in the middle of a log or a list')
  if (text === undefined) {
    return rejected('malformed', `a log must not be longer than ${MAX_ENTRY_BYTES} bytes`)
  }
  const value = parseJson(text)
  if (value === undefined) return rejected('malformed', 'a log must be JSON')
  const isWithout = network && typeof value === 'object' && value !== null && !('network' in value)
  return { value: isWithout ? { ...value, network } : value }
}

function decodeEntry(value: unknown, decoders: EventDecoders): DecodedLog {
  const refusal = refusalIn(value)
  if (refusal !== undefined) return rejected('malformed', refusal)
  const parsed = parseRawLog(value)
  if ('rejection' in parsed) return parsed
  return hasTime(parsed.log) ? decodeLog(parsed.log, decoders) : rejected('malformed', NO_TIME)
}

/** Returns the reason why a node's reply has no result, or undefined for a value that is not a reply. */
function refusalIn(value: unknown): string | undefined {
  const { jsonrpc, error } = (value ?? {}) as { jsonrpc?: unknown; error?: { message?: unknown } }
  return jsonrpc === undefined
    ? undefined
    : `a node's reply has no logs: ${error?.message ?? 'the reply has no result, or the file contains more than the reply'}`
}
