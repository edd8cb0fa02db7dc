import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.join(import.meta.dirname, '../../..')
const CLIENT = path.join(ROOT, 'lib/client')
const COMPILER = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)
const ENTRY = 'create-events-client'

/** The output runs in all browsers and Node.js versions with `fetch`, `AbortSignal.timeout` and `AbortSignal.any`. */
const COMPILER_OPTIONS = [
  ...['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--types', ''],
  ...['--module', 'nodenext', '--strict', '--declaration', '--rewriteRelativeImportExtensions'],
]

/** Matches an import of another client file, as the compiler writes it in declarations. */
const RELATIVE_IMPORT = /(from '\.\/[\w-]+)\.ts'/g

/** Writes the client to an empty folder, as an npm package that is ready to be packed. */
export async function writePackage(folder: string): Promise<void> {
  const dist = path.join(folder, 'dist')
  await mkdir(dist)
  const sources = (await readdir(CLIENT)).filter(name => name.endsWith('.ts'))
  const files = sources.map(name => path.join(CLIENT, name))
  await promisify(execFile)(process.execPath, [
    ...[COMPILER, '--ignoreConfig', ...COMPILER_OPTIONS],
    ...['--rootDir', CLIENT, '--outDir', dist, ...files],
  ])
  await nameCompiledFiles(dist)
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`)
  await copyFile(path.join(CLIENT, 'package/README.md'), path.join(folder, 'README.md'))
  await copyFile(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'))
}

/** The compiler rewrites `.ts` imports only in code, and older compilers cannot resolve them in declarations. */
async function nameCompiledFiles(dist: string): Promise<void> {
  for (const name of (await readdir(dist)).filter(each => each.endsWith('.d.ts'))) {
    const file = path.join(dist, name)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(RELATIVE_IMPORT, "$1.js'"))
  }
}

/** The package has the service's version, because the client supports exactly what a service of that version offers. */
async function manifest() {
  const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const types = `./dist/${ENTRY}.d.ts`
  const code = `./dist/${ENTRY}.js`
  return {
    name: 'blockchain-events-client',
    version,
    description: 'A typed client of the Blockchain Events Query Service, for browsers and Node.js',
    keywords: ['blockchain', 'events', 'erc1155', 'client'],
    license,
    type: 'module',
    // `main` and `types` are for compilers and bundlers that do not support `exports`.
    main: code,
    types,
    exports: { '.': { types, default: code }, './package.json': './package.json' },
    files: ['dist'],
    sideEffects: false,
    engines: { node: '>=18.17' },
  }
}
