import * as z from 'zod/mini'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../events/place.ts'
import { UnreadableFileError } from './check-file.ts'
import { hexOf, integer } from './raw-log.ts'
import { readEntries } from './read-entries.ts'

/** What is looked at of a block, as nodes return it and as a line of a file holds it. */
const blockSchema = z.object({
  number: integer(MAX_BLOCK_NUMBER),
  hash: hexOf(32),
  /** Unix seconds. */
  timestamp: integer(MAX_SECONDS),
})

export type TimedBlock = z.infer<typeof blockSchema>

/** Blocks by their number, for logs that do not say when they were made; those that are not known are left out. */
export type FindBlocks = (numbers: readonly number[]) => Promise<readonly TimedBlock[]>

/** Reads a file of blocks, in any of the forms that logs are read in. Throws `UnreadableFileError`. */
export async function readBlockList(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<FindBlocks> {
  const blocks = new Map<number, TimedBlock>()
  for await (const { number, text, isCutOff } of readEntries(file, options)) {
    if (isCutOff) throw new UnreadableFileError({ file, reason: `it is cut off on line ${number}` })
    const result = blockSchema.safeParse(parseJson(text))
    if (!result.success) {
      const reason = `the entry on line ${number} is no block with number, hash and timestamp`
      throw new UnreadableFileError({ file, reason })
    }
    blocks.set(result.data.number, result.data)
  }
  return async numbers => numbers.flatMap(number => blocks.get(number) ?? [])
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
