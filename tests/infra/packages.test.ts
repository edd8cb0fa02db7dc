import { globSync } from 'node:fs'
import path from 'node:path'
import { useVariant } from '../support/programs/stage-variants.ts'

const FUNCTIONS = globSync('*.ts', { cwd: path.resolve(import.meta.dirname, '../../functions') })
  .map(file => path.basename(file, '.ts'))
  .sort()
const packaged = useVariant('prod')

const LOOK_FILES = ['lib/site/look/icon.svg', 'lib/site/look/look.css', 'lib/site/look/theme.js']

/** The files that functions contain besides their code. Functions that are not listed here contain only their code. */
const SERVED_FILES: Record<string, string[]> = {
  docs: [
    'lib/site/docs/dist/llms.txt',
    'lib/site/docs/dist/reference.html',
    'lib/site/docs/openapi.json',
    'lib/site/docs/page/docs.css',
    'lib/site/docs/page/docs.js',
    ...LOOK_FILES,
  ],
  status: [
    'lib/site/explorer/dist/chart.js',
    'lib/site/explorer/dist/explorer.css',
    'lib/site/explorer/dist/explorer.js',
    ...LOOK_FILES,
    'node_modules/p-map/license',
    'node_modules/preact/LICENSE',
    'node_modules/uplot/LICENSE',
  ],
}

const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

test.each(FUNCTIONS)(
  'the zip of %s holds what the function uses and nothing else, no source map either',
  name => {
    const found = packaged.packages.find(each => each.name === inCamelCase(name))
    const files = found?.files.map(file => file.name).sort()

    expect(files).toEqual([`functions/${name}.cjs`, ...(SERVED_FILES[name] ?? [])])
  },
)

test('a zip stays below 250 KB', () => {
  expect(packaged.packages).toHaveLength(FUNCTIONS.length)
  expect(packaged.packages.filter(({ bytes }) => bytes >= 250 * 1024)).toEqual([])
})

/** Up to this size of its minified code, a function loads as fast as the bare DynamoDB client. */
const MAX_QUERY_BYTES = 350_000

test.each(['changes', 'token-events', 'user-events'])('%s has at most 350 KB of code', name => {
  expect(packaged.bundles[`functions/${name}.cjs`]?.byteLength).toBeLessThan(MAX_QUERY_BYTES)
})

test.each(FUNCTIONS)('%s requires what it loads late, for an import of `node:http` loads `fetch`', name => {
  expect(String(packaged.bundles[`functions/${name}.cjs`])).not.toMatch(/\bimport\(/)
})
