import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { type BlockTime, blockTimeItems } from './block-times.ts'
import { type Item, itemsOf } from './item.ts'
import { toDynamoJson } from './to-dynamo-json.ts'

export interface ImportOptions {
  folder: string
  /** What the records come from. Files of other sources in the folder are refused. */
  sources: readonly string[]
  /** How they are read, as far as that makes other records of them. */
  reading?: { network?: Network | undefined; erc721?: boolean | undefined } | undefined
  eventsInFile?: number
  signal?: AbortSignal | undefined
  /** Called after each file. */
  onStored?: (soFar: { events: number }) => void
}

/** Some 200 MB before compression, so that a stop costs seconds; an import takes up to 50,000 files. */
const EVENTS_IN_FILE = 20_000
/** Says what the files beside it are made of. Its name keeps it out of an import. */
const NOTE = '.import.json'

/** Thrown where a folder holds files that were made of something else. */
class OtherImportError extends Error {
  readonly code = 'OTHER_IMPORT'
  override readonly name = 'OtherImportError'

  constructor(folder: string) {
    super(
      `${folder} has files of another import: give an empty folder, or the same files and options as before`,
    )
  }
}

/**
 * Writes all items of the events into files that DynamoDB makes a table of: one item a line in DynamoDB's JSON,
 * compressed. See
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html. A file is there once it
 * is complete; those that are there from an earlier run over the same sources are left as they are. Holds one event at
 * a time. Throws `OtherImportError`.
 */
export async function writeImport(
  { folder, sources, reading, eventsInFile = EVENTS_IN_FILE, signal, onStored }: ImportOptions,
  records: AsyncIterable<EventRecord>,
): Promise<{ events: number; files: number }> {
  const there = await openFolder(folder, { sources, reading, eventsInFile })
  const source = records[Symbol.asyncIterator]()
  let events = 0
  for (let files = 0; ; files++) {
    const name = `events-${String(files).padStart(6, '0')}.json.gz`
    const before = events
    // As many of the records as one file holds, and no further.
    const part = {
      async *[Symbol.asyncIterator]() {
        while (events - before < eventsInFile) {
          const { done, value } = await source.next()
          if (done) return
          events += 1
          yield value
        }
      },
    }
    if (there.has(name)) for await (const _ of part) signal?.throwIfAborted()
    else await writeFileOf(part, path.join(folder, name), signal)
    const isEmpty = events === before
    if (!isEmpty) onStored?.({ events })
    if (events - before < eventsInFile) return { events, files: files + (isEmpty ? 0 : 1) }
  }
}

/** The names of the files that are complete. */
async function openFolder(
  folder: string,
  { sources, reading, eventsInFile }: Pick<ImportOptions, 'sources' | 'reading' | 'eventsInFile'>,
): Promise<Set<string>> {
  await mkdir(folder, { recursive: true })
  const sizes = await Promise.all(
    sources.map(async source => [path.resolve(source), (await stat(source)).size]),
  )
  const note = JSON.stringify({ sources: sizes, eventsInFile, ...reading })
  const names = await readdir(folder)
  const found = names.includes(NOTE) ? await readFile(path.join(folder, NOTE), 'utf8') : undefined
  if (found !== note && names.length > 0) throw new OtherImportError(folder)
  await writeFile(path.join(folder, NOTE), note)
  return new Set(names)
}

async function writeFileOf(
  records: AsyncIterable<EventRecord>,
  file: string,
  signal: AbortSignal | undefined,
) {
  const first = records[Symbol.asyncIterator]()
  const begun = await first.next()
  if (begun.done) return
  async function* items() {
    for (let next = begun; !next.done; next = await first.next()) {
      const { chunks, entries } = itemsOf(next.value)
      yield* [...chunks, ...entries]
    }
  }
  await writeItems(items(), file, signal)
}

/** Writes a network's noted blocks into a file beside those of its events, anew each time. */
export const writeImportedTimes = (
  folder: string,
  network: Network,
  times: readonly BlockTime[],
): Promise<void> =>
  writeItems(blockTimeItems(network, times), path.join(folder, `block-times-${network}.json.gz`))

async function writeItems(items: Iterable<Item> | AsyncIterable<Item>, file: string, signal?: AbortSignal) {
  async function* lines() {
    for await (const item of items) yield `${JSON.stringify({ Item: toDynamoJson(item) })}\n`
  }
  const unfinished = path.join(path.dirname(file), `.${path.basename(file)}`)
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    createWriteStream(unfinished),
    signal ? { signal } : {},
  )
  await rename(unfinished, file)
}
