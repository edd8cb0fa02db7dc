import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const NOT_OURS = new Set(['node_modules', '.serverless', 'dist', 'ponder'])

/** What the rooms around `lib` may use. For the rooms within `lib`, see the tables of lib/README.md. */
const ROOMS_AROUND: [room: string, mayUse: string[]][] = [
  ['functions', ['lib']],
  ['infra/deploy', ['lib/events', 'lib/http', 'lib/kit', 'lib/site/openapi', 'lib/store']],
  ['infra/operate', ['infra/deploy', 'lib']],
  ['infra/local/processes', ['lib/kit']],
  ['infra/recording', ['infra/local/processes', 'lib/chain', 'lib/events']],
  ['infra/commands', ['infra/deploy', 'infra/operate', 'infra/recording', 'lib']],
  ['infra/local', ['infra', 'lib']],
  ['tests', ['functions', 'infra', 'lib', 'tests']],
  // The oracle is written from the interface, not from the code that it checks.
  ['tests/support/oracle', ['lib/client', 'lib/events', 'tests/support']],
]

/** Only these rooms or files of `lib` may use the package. */
const ROOMS_OF_PACKAGES: Record<string, string[]> = {
  '@aws-sdk/': ['lib/store', 'lib/kit', 'lib/ingest', 'lib/audit', 'lib/feed', 'lib/inspect', 'lib/release'],
  '@smithy/': ['lib/store', 'lib/kit'],
  pg: ['lib/callers/copies'],
  viem: ['lib/chain', 'lib/callers/copies', 'lib/site/explorer/show/explain-checksum.ts'],
}

/** These rooms run in a caller's program or browser, so they may use only these packages. */
const PACKAGES_OF_ROOMS: Record<string, string[]> = {
  'lib/client': [],
  'lib/site/explorer': ['p-map', 'preact', 'uplot', 'viem'],
}

/** `uses` includes files that are imported only for their types. */
type File = { name: string; uses: string[]; packages: string[] }

const isIn = (name: string, folder: string) => name === folder || name.startsWith(`${folder}/`)

/** Reads the tables whose last column is headed `may use`. */
function roomsOf(page: string): [room: string, mayUse: string[]][] {
  const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => `lib/${name}`)
  return [...page.matchAll(/^\|.*\| may use \|\n.*\n((?:\|.*\n)+)/gm)].flatMap(([, rows = '']) =>
    rows.split('\n').flatMap((row): [string, string[]][] => {
      const cells = row.split('|')
      const [room] = namesIn(cells[1])
      return room === undefined ? [] : [[room, namesIn(cells.at(-2))]]
    }),
  )
}

const rooms = new Map([...roomsOf(readFileSync(path.join(ROOT, 'lib/README.md'), 'utf8')), ...ROOMS_AROUND])

const roomOf = (name: string) =>
  [...rooms.keys()].filter(room => isIn(name, room)).sort((a, b) => b.length - a.length)[0]

function readImports(name: string, source: string): File {
  const imports = [
    ...source.matchAll(/(?:^(?:import|export|\}) .*\bfrom |^import |\bimport\()'([^']+)'/gm),
  ].map(([, from = '']) => from)
  return {
    name,
    uses: imports
      .filter(from => from.startsWith('.'))
      .map(from => path.posix.join(path.posix.dirname(name), from)),
    packages: imports.filter(from => !from.startsWith('.') && !from.startsWith('node:')),
  }
}

function forbiddenImports({ name, uses, packages }: File): string[] {
  const room = roomOf(name)
  if (room === undefined) return [`${name} is in no room`]
  const outside = uses.filter(
    used => roomOf(used) !== room && !rooms.get(room)?.some(allowed => isIn(used, allowed)),
  )
  const foreign = packages.filter(used =>
    Object.entries(ROOMS_OF_PACKAGES).some(
      ([scope, only]) =>
        (scope.endsWith('/') ? used.startsWith(scope) : isIn(used, scope)) &&
        isIn(name, 'lib') &&
        !only.some(allowed => isIn(name, allowed)),
    ),
  )
  const extra = packages.filter(used => PACKAGES_OF_ROOMS[room]?.every(allowed => !isIn(used, allowed)))
  return [...outside, ...foreign, ...extra].map(used => `${name} may not use ${used}`)
}

/** Returns the files whose imports form circles, and also files on a path between two circles. */
function filesInCircles(files: File[]): string[] {
  const names = new Set(files.map(({ name }) => name))
  const used = new Set(files.flatMap(({ uses }) => uses))
  const ends = files.filter(({ name, uses }) => !used.has(name) || !uses.some(each => names.has(each)))
  if (ends.length === 0) return files.map(({ name }) => name)
  return filesInCircles(files.filter(file => !ends.includes(file)))
}

const files = ['functions', 'lib', 'infra', 'tests']
  .flatMap(folder =>
    globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: ROOT, exclude: name => NOT_OURS.has(path.basename(name)) }),
  )
  .map(name => readImports(name, readFileSync(path.join(ROOT, name), 'utf8')))

test('every room uses only the rooms and packages that its row allows', () => {
  expect(files.flatMap(forbiddenImports)).toEqual([])
  expect(files.length).toBeGreaterThan(900)
})

test('no imports form a circle, not even imports of types', () => {
  expect(filesInCircles(files)).toEqual([])
})
