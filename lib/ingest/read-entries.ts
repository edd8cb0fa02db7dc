import type { Entry } from './entry.ts'
import { type Chunk, readChunks } from './read-chunks.ts'
import { readLines } from './read-lines.ts'
import { readValues } from './read-values.ts'
import { refuseOtherForms } from './refuse-other-forms.ts'

/**
 * The logs, or blocks, of a file, in memory that does not grow with it: one a line, or the elements of JSON lists and
 * of the replies of nodes, however they are laid out. Which of these it is, is seen by how the file begins. Throws
 * `UnreadableFileError` for a file that is no text, and for a damaged gzip.
 */
export async function* readEntries(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Entry> {
  const chunks = readChunks(file, options)
  const first = await chunks.next()
  if (first.done) return
  refuseOtherForms(file, first.value.bytes)
  const all = joined(first.value, chunks)
  yield* isOneALine(first.value.bytes.toString('utf8')) ? readLines(all) : readValues(all)
}

async function* joined(first: Chunk, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  yield first
  yield* rest
}

/** In the reply to `eth_getLogs` a list, in that to `eth_getBlockByNumber` an object. */
const REPLY = /"result"\s*:\s*[[{]/
/** What stands before the result in a reply is short. */
const REPLY_BEGINS_WITHIN = 1024

function isOneALine(beginning: string): boolean {
  const text = beginning.replace(/^\uFEFF/, '').trimStart()
  if (!text.startsWith('{')) return !text.startsWith('[')
  if (REPLY.test(text.slice(0, REPLY_BEGINS_WITHIN))) return false
  const [firstLine = '', ...others] = text.split('\n', 100).map(line => line.trim())
  if (others.length === 0 || isJson(firstLine)) return true
  // A broken line among others, or an object that is laid out over several lines.
  return others.find(line => line !== '')?.startsWith('{') ?? true
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
