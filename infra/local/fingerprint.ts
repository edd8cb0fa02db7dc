import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What decides how an event is stored. When it changes, what was kept counts as something else. */
const STORED_FORM = ['infra/table.yml', 'lib/events', 'lib/ingest', 'lib/store']

/** Tells one load from another: the content of the files in their order, and the code that stores them. */
export async function fingerprint(files: string[]): Promise<string> {
  const code = await Promise.all(STORED_FORM.map(name => filesUnder(path.join(ROOT, name))))
  const hash = createHash('sha256')
  for (const file of [...code.flat(), ...files]) await addFile(hash, file)
  return hash.digest('hex')
}

async function filesUnder(name: string): Promise<string[]> {
  if (path.extname(name)) return [name]
  const entries = await readdir(name, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
}

async function addFile(hash: Hash, file: string) {
  const content = createHash('sha256')
  for await (const chunk of createReadStream(file)) content.update(chunk)
  hash.update(content.digest())
}
