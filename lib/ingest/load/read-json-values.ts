import { createTextBuffer, type Entry, MAX_ENTRY_BYTES } from './entry.ts'
import type { Chunk } from './read-unpacked.ts'

/**
 * Yields the values at the top level of a JSON text and in its lists. If a value is a node's reply, yields the objects
 * in the reply's `result` instead. The text is scanned piece by piece, so memory use does not grow with its length.
 * Only brackets and strings are recognised, so text between values is not checked. If the text ends within a value,
 * yields the incomplete value and marks it as truncated.
 */
export async function* readJsonValues(
  chunks: AsyncIterable<Chunk>,
  { maxBytes = MAX_ENTRY_BYTES }: { maxBytes?: number } = {},
): AsyncGenerator<Entry> {
  const scanner = createScanner(maxBytes)
  let bytesRead = 0
  let isPackCutOff = false
  for await (const chunk of chunks) {
    bytesRead = chunk.bytesRead
    isPackCutOff = chunk.isCutOff ?? false
    for (const found of scanner.scan(chunk.bytes)) yield { ...found, bytesRead }
  }
  for (const found of scanner.end({ isPackCutOff })) yield { ...found, bytesRead }
}

/** Whether a text begins with a JSON object or list, and ends before the object or list is closed. */
export function endsTooEarly(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  const scanner = createScanner(Number.POSITIVE_INFINITY)
  return [...scanner.scan(Buffer.from(text)), ...scanner.end()].some(({ isCutOff }) => isCutOff)
}

type Found = Omit<Entry, 'bytesRead'>

const code = (character: string) => character.charCodeAt(0)
const QUOTE = code('"')
const BACKSLASH = code('\\')
const COMMA = code(',')
const COLON = code(':')
const NEWLINE = code('\n')
const OPENING = new Set([code('{'), code('[')])
const CLOSING = new Set([code('}'), code(']')])
const BLANK = new Set([code(' '), code('\t'), code('\r'), NEWLINE, 0xef, 0xbb, 0xbf])
const RESULT = Buffer.from('result')

function createScanner(maxBytes: number) {
  let line = 1
  let isInString = false
  let isEscaped = false
  /** How many characters of the key `result` the current string has matched so far, or -1 after a mismatch. */
  let matched = -1
  let isAfterResult = false
  /** The lists and replies that are open at the current position. Only the `result` of a reply is read. */
  const around: ('list' | 'reply')[] = []
  /** The number of open brackets in the current value. Undefined between values. */
  let depth: number | undefined
  let startedOn = 1
  const taken = createTextBuffer(maxBytes)

  function* scan(bytes: Buffer): Generator<Found> {
    let start = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (byte === NEWLINE) line += 1
      if (isInString) {
        readInString(byte)
        continue
      }
      if (depth === undefined) {
        if (BLANK.has(byte) || byte === COMMA) continue
        if (CLOSING.has(byte)) around.pop()
        else if (byte === code('[')) around.push('list')
        else if (byte === QUOTE && around.at(-1) === 'reply') beginString()
        else if (around.at(-1) !== 'reply' || OPENING.has(byte)) {
          depth = 0
          start = at
          startedOn = line
        }
        if (depth === undefined) continue
      }
      if (byte === QUOTE) beginString()
      else if (OPENING.has(byte)) {
        if (depth === 1 && isAfterResult) {
          // The object is a reply, so its text up to here is dropped, and the values in its result are read next.
          taken.drop()
          around.push('reply')
          depth = undefined
          isAfterResult = false
          at -= 1
          continue
        }
        depth += 1
      } else if (CLOSING.has(byte) && depth > 0) {
        depth -= 1
        if (depth === 0) {
          taken.add(bytes.subarray(start, at + 1))
          yield finish()
        }
      } else if (depth === 0 && (byte === COMMA || CLOSING.has(byte) || BLANK.has(byte))) {
        taken.add(bytes.subarray(start, at))
        yield finish()
        if (CLOSING.has(byte)) around.pop()
      } else if (byte === COMMA) isAfterResult = false
      else if (byte === COLON && depth === 1) isAfterResult = matched === RESULT.length
    }
    if (depth !== undefined) taken.add(bytes.subarray(start))
  }

  function beginString() {
    isInString = true
    matched = 0
  }

  function readInString(byte: number) {
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) isInString = false
    if (isInString) matched = matched >= 0 && byte === RESULT[matched] ? matched + 1 : -1
  }

  function finish(): Found {
    depth = undefined
    isAfterResult = false
    return { number: startedOn, text: taken.take() }
  }

  return {
    scan,
    *end({ isPackCutOff = false } = {}): Generator<Found> {
      const isWithin = (depth ?? 0) > 0 || isInString || around.length > 0
      const isCutOff = isWithin || isPackCutOff
      if (depth !== undefined) yield { ...finish(), ...(isCutOff && { isCutOff }) }
      else if (isCutOff) yield { number: line, text: '', isCutOff }
    },
  }
}
