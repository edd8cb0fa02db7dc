import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { documentationFiles } from '../../lib/site/openapi/generated-files.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../lib/site/explorer')

let underWay: Promise<void> | undefined

/**
 * Builds the served files that the repository does not contain: the explorer's scripts and styles, the reference of
 * the documentation page, and `llms.txt`. Builds them once per process. Even if several processes build at once, nobody
 * reads an incomplete file.
 */
export function buildPages(): Promise<void> {
  underWay ??= buildAll()
  return underWay
}

async function buildAll(): Promise<void> {
  const built = await Promise.all([bundleExplorer(), documentationFiles()])
  await Promise.all(built.flat().map(([file, text]) => replaceFile(file, text)))
}

async function bundleExplorer(): Promise<[file: string, text: string][]> {
  const page = ['main.tsx', 'explorer.css'].map(name => ({ in: path.join(FOLDER, name), out: 'explorer' }))
  const built = await Promise.all([
    build({ ...COMMON, ...JSX, entryPoints: page, format: 'iife' }),
    // Code that is not needed to show the first rows is in a separate file, which the page imports later.
    build({ ...COMMON, entryPoints: [{ in: path.join(FOLDER, 'later.ts'), out: 'chart' }], format: 'esm' }),
  ])
  return built.flatMap(({ outputFiles }) =>
    outputFiles.map(file => [file.path, file.text] as [string, string]),
  )
}

/** With calls to `h`, the compressed script is 1 % smaller than with the automatic runtime that the type check uses. */
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

/** Renames a complete file into place, because another process may be reading the old file. Skips an unchanged file. */
async function replaceFile(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return
  await mkdir(path.dirname(file), { recursive: true })
  const beside = `${file}.${randomUUID()}`
  await writeFile(beside, text)
  await rename(beside, file)
}
