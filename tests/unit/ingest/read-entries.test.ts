import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Entry } from '../../../lib/ingest/entry.ts'
import type { Chunk } from '../../../lib/ingest/read-chunks.ts'
import { readEntries } from '../../../lib/ingest/read-entries.ts'
import { readValues } from '../../../lib/ingest/read-values.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'

const writeFile = useTextFiles()

async function all(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

const entriesOf = async (content: string | Buffer) => all(readEntries(await writeFile('logs', content)))
const valuesOf = (entries: Entry[]) => entries.map(({ text }) => JSON.parse(text ?? ''))

/** What confuses who only looks at brackets, quotes and the word. */
const nasty = fc.oneof(
  fc.string(),
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

describe.each(Object.entries(LAYOUTS))('%s', (_, layOut) => {
  const logs = fc.array(log, { minLength: 1, maxLength: 5 })

  it('gives back any logs, packed or not', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async given => {
        const content = layOut(given)
        expect(valuesOf(await entriesOf(content))).toEqual(given)
        expect(valuesOf(await entriesOf(gzipSync(content)))).toEqual(given)
      }),
      { numRuns: 20 },
    )
  })

  it('gives back any logs, wherever the pieces of the file end', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 9 }), async (given, size) => {
        const bytes = Buffer.from(layOut(given))
        async function* chunks(): AsyncGenerator<Chunk> {
          for (let at = 0; at < bytes.length; at += size) {
            yield { bytes: bytes.subarray(at, at + size), bytesRead: at + size }
          }
        }
        expect(valuesOf(await all(readValues(chunks())))).toEqual(given)
      }),
      { numRuns: 20 },
    )
  })
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

it.each([
  ['a list that is cut off', '[{"a":1},', ['{"a":1}', '']],
  ['a log that is cut off', '[{"a":1},{"b', ['{"a":1}', '{"b']],
  [
    'a reply without a result',
    '[{"jsonrpc":"2.0","error":{"code":1}}]',
    ['{"jsonrpc":"2.0","error":{"code":1}}'],
  ],
  ['a list of other values', '[1, "a,b", null]', ['1', '"a,b"', 'null']],
  ['lines of which the first is broken', '{"a":\n{"b":2}\n', ['{"a":', '{"b":2}']],
  ['lines of something else', 'a\nb\n', ['a', 'b']],
])('gives what there is of %s', async (_, content, texts) => {
  expect((await entriesOf(content)).map(({ text }) => text)).toEqual(texts)
})

it('gives no text of a log that is too long, and goes on behind it', async () => {
  async function* chunks(): AsyncGenerator<Chunk> {
    yield { bytes: Buffer.from(`[{"a":"${'x'.repeat(100)}"},{"b":2}]`), bytesRead: 1 }
  }
  expect((await all(readValues(chunks(), { maxBytes: 50 }))).map(({ text }) => text)).toEqual([
    undefined,
    '{"b":2}',
  ])
})

it('says that a gzip is damaged', async () => {
  const packed = gzipSync('{"a":1}\n'.repeat(1000))
  const file = await writeFile('damaged.gz', packed.subarray(0, packed.length / 2))
  await expect(all(readEntries(file))).rejects.toThrow(`Can't read ${file}: its gzip is damaged (`)
})
