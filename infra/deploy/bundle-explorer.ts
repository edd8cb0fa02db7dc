import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const FOLDER = path.resolve(import.meta.dirname, '../../lib/explorer')

let underWay: Promise<void> | undefined

/**
 * Bundles what browsers load for the page at `/` into `lib/explorer/dist`, once a process. Several processes may do so at
 * once: whoever reads a file finds it whole.
 */
export function bundleExplorer(): Promise<void> {
  underWay ??= bundle()
  return underWay
}

async function bundle(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: ['main.tsx', 'explorer.css'].map(name => ({ in: path.join(FOLDER, name), out: 'explorer' })),
    outdir: path.join(FOLDER, 'dist'),
    tsconfig: path.join(FOLDER, 'tsconfig.json'),
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    legalComments: 'eof',
    logLevel: 'error',
  })
  await mkdir(path.join(FOLDER, 'dist'), { recursive: true })
  await Promise.all(outputFiles.map(file => replaceFile(file.path, file.text)))
}

/** What is there already is left alone, for somebody may be reading it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before === text) return
  const beside = `${file}.${randomUUID()}`
  await writeFile(beside, text)
  await rename(beside, file)
}
