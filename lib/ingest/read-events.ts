import type { EventRecord } from '../events/record.ts'
import type { DecodedLog } from './build-record.ts'
import { createInvariantCheck } from './check-invariants.ts'
import { decodeLog } from './decode-log.ts'
import { parseRawLog } from './raw-log.ts'
import { MAX_LINE_BYTES, readLines } from './read-lines.ts'
import { type Rejection, rejected } from './rejection.ts'

/** What became of one line: an event, nothing new, or nothing at all. */
type LineOutcome = { record: EventRecord } | 'duplicate' | { rejection: Rejection }

export interface ReadLine {
  file: string
  /** Counted from 1 in each file. */
  line: number
  /** How far reading has come, over all files. */
  bytesRead: number
  outcome: LineOutcome
}

/**
 * Reads files of newline-delimited JSON logs, one after the other, and tells of every line that is not
 * empty what it is. The invariants of events are checked over all the files together.
 */
export async function* readEvents(
  files: readonly string[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReadLine> {
  const checkInvariants = createInvariantCheck()
  let bytesBefore = 0
  for (const file of files) {
    let bytesInFile = 0
    for await (const { number, text, bytesRead } of readLines(file, { signal })) {
      bytesInFile = bytesRead
      yield { file, line: number, bytesRead: bytesBefore + bytesRead, outcome: outcomeOf(text) }
    }
    bytesBefore += bytesInFile
  }

  function outcomeOf(text: string | undefined): LineOutcome {
    const read = readLog(text)
    if ('rejection' in read) return read
    const verdict = checkInvariants(read.record)
    return verdict === 'new' ? read : verdict
  }
}

function readLog(text: string | undefined): DecodedLog {
  if (text === undefined)
    return rejected('malformed', `a line of more than ${MAX_LINE_BYTES} bytes is not read`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return rejected('malformed', 'not JSON')
  }
  const parsed = parseRawLog(value)
  return 'rejection' in parsed ? parsed : decodeLog(parsed.log)
}
