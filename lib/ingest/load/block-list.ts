import * as z from 'zod/mini'
import { hexOf, integer } from '../../chain/logs/raw-log.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { checkFile, unreadable } from './check-file.ts'
import { readEntries } from './read-entries.ts'

const blockSchema = z.object({
  number: integer(MAX_BLOCK_NUMBER),
  hash: hexOf(32),
  /** Unix seconds. */
  timestamp: integer(MAX_SECONDS),
})

export type TimedBlock = z.infer<typeof blockSchema>

/** Omits unknown blocks from the result. */
export type FindBlocks = (numbers: readonly number[]) => Promise<readonly TimedBlock[]>

/**
 * Reads a file of blocks in a form that `readEntries` accepts. Throws a one-line error, for example if an entry is not
 * a block.
 */
export async function readBlockList(file: string, signal?: AbortSignal): Promise<FindBlocks> {
  await checkFile(file)
  const blocks = new Map<number, TimedBlock>()
  for await (const { number, text, isCutOff } of readEntries(file, signal)) {
    if (isCutOff) throw unreadable(file, `it is truncated on line ${number}`)
    const result = blockSchema.safeParse(parseJson(text ?? ''))
    if (!result.success)
      throw unreadable(file, `the entry on line ${number} is not a block with number, hash and timestamp`)
    blocks.set(result.data.number, result.data)
  }
  return async numbers => numbers.flatMap(number => blocks.get(number) ?? [])
}
