import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildPages } from '../../infra/deploy/build-pages.ts'
import { encodeBody } from '../../lib/http/content-coding.ts'
import { PAGE_FILES } from '../../lib/site/look/page-files.ts'
import { bundleFunction } from '../support/programs/bundle-function.ts'
import { useVariant } from '../support/programs/stage-variants.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The maximum size of the script that the page needs before its first rows, after the service has compressed it. */
const MAX_PAGE_BYTES = 30_500

const FUNCTIONS = globSync('*.ts', { cwd: path.join(ROOT, 'functions') })
  .map(file => path.basename(file, '.ts'))
  .sort()

const outdir = useFolder()
const packaged = useVariant('prod')

test('the script that loads before the first rows has at most 30.5 KB as served, and all files together 150 KB', async () => {
  await buildPages()
  const sizeOf = async (file: string) =>
    encodeBody(await readFile(path.join(ROOT, file), 'utf8'), 'br').byteLength
  const sizes = await Promise.all(Object.values(PAGE_FILES).map(sizeOf))

  expect(await sizeOf(PAGE_FILES['explorer.js'])).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(150_000)
})

test.each(FUNCTIONS)('%s is made of these packages', async name => {
  const { packages } = await bundleFunction(`functions/${name}`, { outdir })

  expect(Object.keys(packages).sort()).toMatchSnapshot()
})

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
    // Unlike `require`, `import()` of `node:http` would also load `fetch`.
    expect(String(packaged.bundles[`functions/${name}.cjs`])).not.toMatch(/\bimport\(/)
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
