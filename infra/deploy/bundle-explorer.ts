import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'

const FOLDER = path.resolve(import.meta.dirname, '../../lib/site/explorer')

let underWay: Promise<void> | undefined

/** Bundles once per process, into `dist`. Even with several processes at a time, readers find whole files. */
export function bundleExplorer(): Promise<void> {
  underWay ??= bundle()
  return underWay
}

async function bundle(): Promise<void> {
  const page = ['main.tsx', 'explorer.css'].map(name => ({ in: path.join(FOLDER, name), out: 'explorer' }))
  // Code that is not needed to show the first rows is in a separate file, which the page imports later.
  const chart = [{ in: path.join(FOLDER, 'later.ts'), out: 'chart' }]
  const built = await Promise.all([
    build({ ...COMMON, ...JSX, entryPoints: page, format: 'iife' }),
    build({ ...COMMON, entryPoints: chart, format: 'esm' }),
  ])
  await mkdir(COMMON.outdir, { recursive: true })
  const files = built.flatMap(({ outputFiles }) => outputFiles)
  await Promise.all(files.map(file => replaceFile(file.path, file.text)))
}

/** When compressed, calls to `h` are 1 % shorter than those to the automatic runtime, which the type check uses. */
const JSX = {
  inject: ['preact'] as string[],
  tsconfigRaw: { compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' } },
} as const

const COMMON = {
  outdir: path.join(FOLDER, 'dist'),
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  legalComments: 'eof',
  logLevel: 'error',
} as const satisfies BuildOptions

/** Does not replace a file that has the same content, because another process may be reading it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before === text) return
  const beside = `${file}.${randomUUID()}`
  await writeFile(beside, text)
  await rename(beside, file)
}
