import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleFunction } from '../../deploy/bundle-function.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** A position in a bundle, with or without `file://`: `/var/task/functions/user-events.cjs:9:1234`. */
const FRAME = /[^\s()]*\b(functions\/[\w-]+)\.cjs:(\d+):(\d+)/g

/** Replaces each position in a function's bundle with its position in the source, and keeps all other text. */
export async function locateFrames(stack: string): Promise<string> {
  const entries = [...new Set(Array.from(stack.matchAll(FRAME), ([, entry = '']) => entry))]
  const maps = new Map(await Promise.all(entries.map(async entry => [entry, await mapOf(entry)] as const)))
  return stack.replace(FRAME, (frame, entry: string, line: string, column: string) => {
    const found = maps.get(entry)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return frame
    return `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

/** Bundles the function as a deployment does, and resolves with its source map. Undefined for an unknown function. */
async function mapOf(entry: string): Promise<SourceMap | undefined> {
  if (!existsSync(path.join(ROOT, `${entry}.ts`))) return undefined
  const outdir = await mkdtemp(path.join(tmpdir(), 'maps-'))
  try {
    await bundleFunction(entry, { root: ROOT, outdir, sourcemap: 'external' })
    const file = path.join(outdir, `${entry}.cjs.map`)
    const map = JSON.parse(await readFile(file, 'utf8'))
    const sources = map.sources.map((source: string) =>
      path.relative(ROOT, path.resolve(path.dirname(file), source)),
    )
    return new SourceMap({ ...map, sources })
  } finally {
    await rm(outdir, { recursive: true })
  }
}
