import { hash } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import type { Entry } from '../../../lib/ingest/load/entry.ts'
import { readEntries } from '../../../lib/ingest/load/read-entries.ts'
import { readJsonValues } from '../../../lib/ingest/load/read-json-values.ts'
import { readLines } from '../../../lib/ingest/load/read-lines.ts'
import type { Chunk } from '../../../lib/ingest/load/read-unpacked.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { listOf } from '../../support/runner/list-of.ts'

const writeFile = useTextFiles()

const entriesOf = async (content: string | Buffer) => listOf(readEntries(await writeFile('logs', content)))
const valuesOf = (entries: Entry[]) => entries.map(({ text }) => JSON.parse(text ?? ''))

/** These texts would confuse a parser that only looks for brackets, for quotes and for the word `result`. */
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('{', '}', '[', ']', '"', '\\', '\\"', 'result', '"result":[', ',', '\n'),
)
const log = fc.record({
  address: nasty,
  topics: fc.array(nasty, { maxLength: 3 }),
  data: nasty,
  nested: fc.record({ result: fc.array(fc.record({ a: nasty })), list: fc.array(fc.array(fc.integer())) }),
})
const reply = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result })
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

const LAYOUTS: Record<string, (logs: object[]) => string> = {
  'one a line': logs => logs.map(each => `${JSON.stringify(each)}\n`).join(''),
  'a list': logs => JSON.stringify(logs),
  'a list over several lines': logs => pretty(logs),
  'one after the other, each over several lines': logs => logs.map(pretty).join('\n'),
  'a reply': logs => JSON.stringify(reply(logs)),
  'a reply over several lines': logs => pretty(reply(logs)),
  'a reply whose result comes first': logs => pretty({ result: logs, id: 1, jsonrpc: '2.0' }),
  'a reply for each, one a line': logs => logs.map(each => `${JSON.stringify(reply([each]))}\n`).join(''),
  'a batch of replies': logs => JSON.stringify(logs.map(each => reply([each]))),
  'replies with an object each': logs => JSON.stringify(logs.map(reply)),
  'lists, one a line': logs => logs.map(each => `${JSON.stringify([each])}\n`).join(''),
}

test.each(Object.entries(LAYOUTS))(
  '%s returns any logs, compressed or not, wherever the pieces of the file end',
  async (layout, layOut) => {
    const read = layout === 'one a line' ? readLines : readJsonValues
    const logs = fc.array(log, { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 9 }), async (given, size) => {
        const content = layOut(given)
        expect(valuesOf(await entriesOf(content))).toEqual(given)
        expect(valuesOf(await entriesOf(gzipSync(content)))).toEqual(given)
        const bytes = Buffer.from(content)
        async function* chunks(): AsyncGenerator<Chunk> {
          for (let at = 0; at < bytes.length; at += size) {
            yield { bytes: bytes.subarray(at, at + size), bytesRead: at + size }
          }
        }
        expect(valuesOf(await listOf(read(chunks())))).toEqual(given)
      }),
      { numRuns: 6 },
    )
  },
)

/** Whether the text consists of JSON values that are not cut off. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(`[${text.replaceAll(/([\]}])\s*\n\s*([[{])/g, '$1,$2')}]`)
    return true
  } catch {
    return false
  }
}

describe.each(Object.entries(LAYOUTS))('%s, cut off anywhere', (_, layOut) => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const cutLogs = fc.tuple(fc.array(log, { minLength: 1, maxLength: 4 }), part)
  const split = (entries: Entry[]) => ({
    given: valuesOf(entries.filter(({ isCutOff }) => !isCutOff)),
    cutOff: entries.flatMap(({ isCutOff }, index) => (isCutOff ? [index] : [])),
  })

  it('gives the logs before the cut, and says that it is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(cutLogs, async ([given, part]) => {
        const whole = layOut(given).trimEnd()
        const text = whole.slice(0, 1 + Math.floor(part * (whole.length - 2)))
        fc.pre(text.trim() !== '{')
        const entries = await entriesOf(text)
        const { given: found, cutOff } = split(entries)
        expect(found).toEqual(given.slice(0, found.length))
        expect(cutOff).toEqual(isWhole(text) ? [] : [entries.length - 1])
      }),
      { numRuns: 20 },
    )
  })

  it('gives the logs before the cut of a gzip, and says that it is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(cutLogs, async ([given, part]) => {
        const packed = gzipSync(layOut(given))
        const entries = await entriesOf(packed.subarray(0, 2 + Math.floor(part * (packed.length - 3))))
        fc.pre(entries[0]?.text?.trim() !== '{')
        const { given: found, cutOff } = split(entries)
        expect(found).toEqual(given.slice(0, found.length))
        expect(cutOff).toEqual([entries.length - 1])
      }),
      { numRuns: 10 },
    )
  })
})

it('gives all that can be unpacked of a large gzip that is cut off', async () => {
  const logs = Array.from({ length: 5000 }, (_, index) => ({ index, hash: hash('sha256', String(index)) }))
  const packed = gzipSync(logs.map(each => `${JSON.stringify(each)}\n`).join(''))

  const entries = await entriesOf(packed.subarray(0, -8))

  expect(valuesOf(entries.slice(0, -1))).toEqual(logs)
  expect(entries.at(-1)).toMatchObject({ number: 5001, text: '', isCutOff: true })
})

it.each([1, 100_000])('reads a gzip of two parts that %i zeros follow, as gunzip does', async zeros => {
  const packed = [gzipSync('{"a":1}\n'), gzipSync('{"b":2}\n'), Buffer.alloc(zeros)]
  expect(valuesOf(await entriesOf(Buffer.concat(packed)))).toEqual([{ a: 1 }, { b: 2 }])
})

it('tells the line on which a log begins', async () => {
  expect(await entriesOf('[\n  {"a": 1},\n\n  {\n "b": 2\n}\n]\n')).toMatchObject([
    { number: 2, text: '{"a": 1}' },
    { number: 4 },
  ])
})

it.each([
  ['an empty list', '[]'],
  ['a reply with an empty list', '{"jsonrpc":"2.0","id":1,"result":[]}'],
  ['nothing', ''],
])('%s has no logs', async (_, content) => {
  expect(await entriesOf(content)).toEqual([])
})

const FAILED = '{"jsonrpc":"2.0","error":{"code":1}}'

it.each([
  ['a reply without a result', `[${FAILED}]`, [FAILED]],
  ['a list of other values', '[1, "a,b", null]', ['1', '"a,b"', 'null']],
  ['lines of which the first is broken', '{"a":\n{"b":2}\n', ['{"a":', '{"b":2}']],
  ['lines of something else', 'a\nb\n', ['a', 'b']],
])('returns the readable parts of %s', async (_, content, texts) => {
  expect((await entriesOf(content)).map(({ text }) => text)).toEqual(texts)
})

it.each([
  ['a list', `[{"a":"${'x'.repeat(100)}"},{"b":2}]`, readJsonValues],
  ['a line', `{"a":"${'x'.repeat(100)}"}\n{"b":2}\n`, readLines],
])('leaves out the text of a log that is too long in %s, and continues after it', async (_, text, read) => {
  async function* chunks(): AsyncGenerator<Chunk> {
    for (let at = 0; at < text.length; at += 9)
      yield { bytes: Buffer.from(text.slice(at, at + 9)), bytesRead: 1 }
  }
  const entries = await listOf(read(chunks(), { maxBytes: 50, maxLineBytes: 50 }))
  expect(entries.map(({ text }) => text)).toEqual([undefined, '{"b":2}'])
})

it('takes Windows line ends, empty lines and a byte order mark', async () => {
  const entries = await entriesOf('\uFEFF{"a":1}\r\n \t\r\n{"b":2}\r\n')
  expect(valuesOf(entries)).toEqual([{ a: 1 }, { b: 2 }])
  expect(entries.map(({ number }) => number)).toEqual([1, 3])
})

it('stops on request', async () => {
  const file = await writeFile('long', '{"a":1}\n'.repeat(500_000))
  const stop = new AbortController()
  const reading = (async () => {
    for await (const { number } of readEntries(file, stop.signal)) if (number === 10) stop.abort()
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})

it('says that a gzip is damaged', async () => {
  const packed = gzipSync('{"a":1}\n'.repeat(1000))
  const damaged = Buffer.from(packed).fill(0xff, 10, 20)
  const file = await writeFile('damaged.gz', damaged)
  await expect(listOf(readEntries(file))).rejects.toThrow(`Can't read ${file}: its gzip data is damaged (`)
})

it.each([1, 100_000])('says that a gzip is damaged if data follows %i zeros', async zeros => {
  const packed = [gzipSync('{"a":1}\n'), Buffer.alloc(zeros), gzipSync('{"b":2}\n')]
  const file = await writeFile('separated.gz', Buffer.concat(packed))
  await expect(listOf(readEntries(file))).rejects.toThrow('its gzip data is damaged (data follows zeros)')
})

const tar = (text: string) => {
  const header = Buffer.alloc(512)
  header.write('logs.ndjson', 0)
  header.write('ustar', 257)
  return Buffer.concat([header, Buffer.from(text)])
}

const ZIPPED = 'it is compressed with zip, so unpack it'

it.each([
  [
    'zip',
    Buffer.from('PK\x03\x04\x14\0\0\0'),
    `${ZIPPED}, and load what it contains, which can also be compressed with gzip`,
  ],
  ['xz', Buffer.from('fd377a585a000004', 'hex'), 'it is compressed with xz, so unpack it, and load'],
  ['zstd', zstdCompressSync('{}'), 'it is compressed with zstd, so unpack it, and load'],
  ['bzip2', Buffer.from('BZh91AY&SY'), 'it is compressed with bzip2, so unpack it, and load'],
  ['7-Zip', Buffer.from('377abcaf271c0004', 'hex'), 'it is compressed with 7-Zip, so unpack it, and load'],
  ['tar', tar('{}'), 'it is a tar archive, so unpack it, and load'],
  ['tar and gzip', gzipSync(tar('{}')), 'it is a tar archive, so unpack it, and load'],
  ['Parquet', Buffer.from('PAR1\x15\x04'), 'it is a Parquet file, so write its rows as JSON'],
  ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'it is encoded in UTF-16, so save it in UTF-8'],
])('says that a file is %s', async (_, content, reason) => {
  const file = await writeFile('other', content)
  await expect(listOf(readEntries(file))).rejects.toThrow(`Can't read ${file}: ${reason}`)
})
