import * as z from 'zod/mini'
import { hexOf, integer } from '../../chain/logs/raw-log.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { UnreadableFileError } from './check-file.ts'
import { readEntries } from './read-entries.ts'

/** The fields of a block that are read from a node's reply or from a file. */
const blockSchema = z.object({
  number: integer(MAX_BLOCK_NUMBER),
  hash: hexOf(32),
  /** Unix seconds. */
  timestamp: integer(MAX_SECONDS),
})

export type TimedBlock = z.infer<typeof blockSchema>

/** Finds blocks by number, for logs without a time. Omits unknown blocks from the result. */
export type FindBlocks = (numbers: readonly number[]) => Promise<readonly TimedBlock[]>

/**
 * Reads a file of blocks, in any form that `readEntries` accepts. Throws `UnreadableFileError` if the file cannot be
 * read, or if an entry is not a block.
 */
export async function readBlockList(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<FindBlocks> {
  const blocks = new Map<number, TimedBlock>()
  for await (const { number, text, isCutOff } of readEntries(file, options)) {
    if (isCutOff) throw new UnreadableFileError({ file, reason: `it is truncated on line ${number}` })
    const result = blockSchema.safeParse(parseJson(text))
    if (!result.success) {
      const reason = `the entry on line ${number} is not a block with number, hash and timestamp`
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
