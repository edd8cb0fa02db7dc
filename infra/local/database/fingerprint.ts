import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Network } from '../../../lib/events/networks.ts'
import type { LogOptions } from '../../../lib/ingest/load/log-options.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const STORED_FORM = ['infra/deploy/table.yml', 'lib/chain', 'lib/events', 'lib/ingest', 'lib/store']

export type Kept = 'same' | 'from another version' | 'other events'

/**
 * The fingerprint covers everything that affects the stored rows: the files' contents in their order, the options, and
 * the code.
 */
export async function fingerprint(
  files: string[],
  options: LogOptions & { networks?: readonly Network[] | undefined } = {},
): Promise<string> {
  const { network, networks, erc721, blocks, rpc, chainId } = options
  const code = await Promise.all(STORED_FORM.map(name => filesUnder(path.join(ROOT, name))))
  const content = [
    await digest(files),
    ...(network ? [network] : []),
    ...(erc721 ? ['erc721'] : []),
    ...(networks ?? []),
    ...(blocks ? [`blocks-${await digest([blocks])}`] : []),
    // Nodes' addresses are omitted, because they may contain keys, and all nodes of a chain have the same blocks.
    ...(rpc ? [`rpc-${chainId ?? network}`] : []),
  ]
  return `${content.join('+')} ${await digest(code.flat())}`
}

export function compareFingerprints(kept: string, wanted: string): Kept {
  if (kept === wanted) return 'same'
  return kept.split(' ')[0] === wanted.split(' ')[0] ? 'from another version' : 'other events'
}

async function filesUnder(name: string): Promise<string[]> {
  if (path.extname(name)) return [name]
  return (await readdir(name, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
}

async function digest(files: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = createHash('sha256')
    for await (const chunk of createReadStream(file)) content.update(chunk)
    hash.update(content.digest())
  }
  return hash.digest('hex')
}
