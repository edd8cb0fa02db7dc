import fc from 'fast-check'
import { readLines } from '../../../lib/ingest/load/read-lines.ts'
import { readUnpacked } from '../../../lib/ingest/load/read-unpacked.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { listOf } from '../../support/runner/list-of.ts'

const writeText = useTextFiles()

const linesOf = async (content: string, options: { maxLineBytes?: number } = {}) =>
  listOf(readLines(readUnpacked(await writeText('lines', content)), options))

const textsOf = async (content: string, options: { maxLineBytes?: number } = {}) =>
  Object.fromEntries((await linesOf(content, options)).map(({ number, text }) => [number, text]))

describe('reading lines', () => {
  it('takes Windows line ends and a byte order mark', async () => {
    const lines = await linesOf('\uFEFF{"a":1}\r\n{"b":2}\r\n')
    expect(lines.map(({ text }) => JSON.parse(text ?? ''))).toEqual([{ a: 1 }, { b: 2 }])
  })

  it('returns the same lines, wherever the chunks of the file end', async () => {
    const line = fc
      .tuple(fc.constantFrom(1, 1, 1, 70_000), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))
      .map(([times, text]) => `x${text.replaceAll(/\s/g, '')}`.repeat(times))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async lines => {
        expect((await linesOf(lines.join('\n'))).map(({ text }) => text)).toEqual(lines)
      }),
      { numRuns: 30 },
    )
  })

  it('leaves out the text of a line that is longer than the limit, and continues after it', async () => {
    const lines = await textsOf(`a\n \t\n\n${'x'.repeat(3_000_000)}\n${'y'.repeat(2_000_000)}\n`, {
      maxLineBytes: 2_000_000,
    })
    expect(lines).toStrictEqual({ 1: 'a', 4: undefined, 5: 'y'.repeat(2_000_000) })
  })

  it('stops on request', async () => {
    const file = await writeText('long', 'line\n'.repeat(500_000))
    const stop = new AbortController()
    const reading = (async () => {
      const chunks = readUnpacked(file, stop.signal)
      for await (const { number } of readLines(chunks)) if (number === 10) stop.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})
