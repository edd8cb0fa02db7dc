import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildPages } from '../../infra/deploy/build-pages.ts'
import { encodeBody } from '../../lib/http/content-coding.ts'
import { PAGE_FILES } from '../../lib/site/look/page-files.ts'
import { type Bundle, bundleFunction } from '../support/programs/bundle-function.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The maximum size of minified code. Up to this size, functions load as fast as the bare DynamoDB client. */
const MAX_QUERY_BYTES = 350_000

/** The maximum size of the script that the page needs before its first rows, after the service has compressed it. */
const MAX_PAGE_BYTES = 30_500

const FUNCTIONS = globSync('*.ts', { cwd: path.join(ROOT, 'functions') })
  .map(file => path.basename(file, '.ts'))
  .sort()

const outdir = useFolder()
const bundles = new Map<string, Bundle>()

beforeAll(async () => {
  for (const name of FUNCTIONS) bundles.set(name, await bundleFunction(`functions/${name}`, { outdir }))
})

const bundleOf = (name: string) => {
  const bundle = bundles.get(name)
  if (!bundle) throw new Error(`${name} was not bundled`)
  return bundle
}

test.each(['changes', 'token-events', 'user-events'])('%s has at most 350 KB of code', name => {
  expect(bundleOf(name).bytes).toBeLessThan(MAX_QUERY_BYTES)
})

test.each(FUNCTIONS)(
  '%s requires what it loads late, for an import of `node:http` loads `fetch`',
  async name => {
    expect(await readFile(bundleOf(name).file, 'utf8')).not.toMatch(/\bimport\(/)
  },
)

test('the script that loads before the first rows has at most 30.5 KB as served', async () => {
  await buildPages()
  const script = await readFile(path.join(ROOT, PAGE_FILES['explorer.js']), 'utf8')

  expect(encodeBody(script, 'br').byteLength).toBeLessThanOrEqual(MAX_PAGE_BYTES)
})

test.each(FUNCTIONS)('%s is made of these packages', name => {
  expect(Object.keys(bundleOf(name).packages).sort()).toMatchSnapshot()
})
