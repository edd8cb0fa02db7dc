import { createHash } from 'node:crypto'
import { createWriteStream, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { marshall } from '@aws-sdk/util-dynamodb'
import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { lockFolder } from '../../kit/lock-folder.ts'
import { type Item, itemsFor } from '../../store/format/event-items.ts'
import { type BlockTime, blockTimeItems } from '../../store/writing/block-times.ts'
import { formItems } from '../../store/writing/record-form.ts'

export interface ImportOptions {
  folder: string
  /** The table's networks, by default all. */
  networks?: readonly Network[] | undefined
  eventsInFile?: number
  signal?: AbortSignal | undefined
  onStored?: (soFar: { events: number }) => void
}

/**
 * A file with this many events takes about 200 MB unpacked: little enough that an interruption costs only seconds, and
 * enough that an import stays below DynamoDB's limit of 50,000 files.
 */
const EVENTS_IN_FILE = 20_000
/** The name of the folder's manifest, which begins with a dot so that DynamoDB's import ignores the file. */
const NOTE = '.import.json'
/** The names of the lock's SQLite files begin with a dot, so an import ignores these files, too. */
const LOCK = { name: '.lock', holder: 'another write-import', options: '--out' }

interface Note {
  eventsInFile: number
  networks?: readonly Network[] | undefined
  /** The digest of the events in each complete file. */
  digests: readonly string[]
}

const otherImport = (folder: string) =>
  new Error(
    `${folder} contains files of another import: choose an empty folder, or give the same files and options as before`,
  )

/**
 * Locks the folder until the returned function is called, because two calls of `writeImport` at the same time would
 * damage each other's files. Throws a one-line error if the folder has other files, is in use, or is not writable.
 */
export function lockImport(folder: string): () => void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  const names = isFolder ? readdirSync(folder).filter(isNotLock) : []
  if (names.length > 0 && !names.includes(NOTE)) throw otherImport(folder)
  return lockFolder(folder, LOCK)
}

const isNotLock = (name: string) => !name.startsWith(LOCK.name)

/**
 * Writes the items of all events into gzipped files for an import by DynamoDB, one item per line in DynamoDB JSON. See
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Format.html. A file gets its name only
 * when it is complete. Files that an earlier call completed are reused if they have the same events. Throws if the
 * events differ, which happens if the content of the sources, the times of blocks, or an option has changed. Only one
 * event is in memory at a time.
 */
export async function writeImport(
  { folder, networks, eventsInFile = EVENTS_IN_FILE, signal, onStored }: ImportOptions,
  records: AsyncIterable<EventRecord>,
): Promise<{ events: number; files: number }> {
  const { there, digests } = await openFolder(folder, { networks, eventsInFile })
  const form = formItems(networks)
  if (form.length > 0) await writeItems(form, path.join(folder, 'form.json.gz'), signal)
  const source = records[Symbol.asyncIterator]()
  let events = 0
  for (let files = 0; ; files++) {
    const name = fileName(files)
    const before = events
    const hash = createHash('sha256')
    // `source` stays open, because its remaining events belong to the next files.
    const part = {
      async *[Symbol.asyncIterator]() {
        while (events - before < eventsInFile) {
          const { done, value } = await source.next()
          if (done) return
          events += 1
          hash.update(JSON.stringify(value))
          yield value
        }
      },
    }
    const known = there.has(name) ? digests[files] : undefined
    if (known !== undefined) for await (const _ of part) signal?.throwIfAborted()
    else await writeFileOf(part, path.join(folder, name), { networks, signal })
    const isEmpty = events === before
    const digest = hash.digest('hex')
    if (isEmpty ? there.has(name) : known !== undefined && known !== digest) throw otherImport(folder)
    if (!isEmpty && known === undefined) {
      digests.splice(files, 1, digest)
      await writeNote(folder, { eventsInFile, networks, digests })
    }
    if (!isEmpty) onStored?.({ events })
    if (events - before < eventsInFile) {
      // Without this check, files of an earlier call could follow this call's last file.
      if (there.has(fileName(files + 1))) throw otherImport(folder)
      return { events, files: files + (isEmpty ? 0 : 1) }
    }
  }
}

const fileName = (number: number) => `events-${String(number).padStart(6, '0')}.json.gz`

async function openFolder(
  folder: string,
  { networks, eventsInFile }: Pick<Note, 'networks' | 'eventsInFile'>,
): Promise<{ there: ReadonlySet<string>; digests: string[] }> {
  await mkdir(folder, { recursive: true })
  const names = (await readdir(folder)).filter(isNotLock)
  const none: Note = { eventsInFile, networks, digests: [] }
  const isNew = names.length === 0
  const found = names.includes(NOTE) ? await readNote(folder) : undefined
  if (!isNew && !(found && optionsOf(found) === optionsOf(none))) throw otherImport(folder)
  if (isNew) await writeNote(folder, none)
  return { there: new Set(names), digests: [...(found?.digests ?? [])] }
}

const optionsOf = ({ eventsInFile, networks }: Note) => JSON.stringify({ eventsInFile, networks })

/**
 * Returns undefined if the manifest has no digests, which means that an earlier version of this program wrote the
 * folder.
 */
async function readNote(folder: string): Promise<Note | undefined> {
  const note: Note = JSON.parse(await readFile(path.join(folder, NOTE), 'utf8'))
  return note.digests && note
}

async function writeNote(folder: string, note: Note) {
  const unfinished = path.join(folder, `${NOTE}.new`)
  await writeFile(unfinished, JSON.stringify(note))
  await rename(unfinished, path.join(folder, NOTE))
}

async function writeFileOf(
  records: AsyncIterable<EventRecord>,
  file: string,
  { networks, signal }: Pick<ImportOptions, 'networks' | 'signal'>,
) {
  const first = records[Symbol.asyncIterator]()
  const begun = await first.next()
  if (begun.done) return
  const itemsOf = itemsFor(networks)
  async function* items() {
    for (let next = begun; !next.done; next = await first.next()) {
      const { chunks, entries } = itemsOf(next.value)
      yield* [...chunks, ...entries]
    }
  }
  await writeItems(items(), file, signal)
}

/** Replaces an earlier file of the network's block times. */
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

/** See https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html */
const toDynamoJson = (item: Item): Record<string, object> =>
  Object.fromEntries(
    Object.entries(marshall(item)).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
    ]),
  )
