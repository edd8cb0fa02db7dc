import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildPages } from '../../infra/deploy/build-pages.ts'
import { encodeBody } from '../../lib/http/content-coding.ts'
import { PAGE_FILES } from '../../lib/site/look/page-files.ts'
import { bundleFunction } from '../support/programs/bundle-function.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The maximum size of the script that the page needs before its first rows, after the service has compressed it. */
const MAX_PAGE_BYTES = 30_500

const FUNCTIONS = globSync('*.ts', { cwd: path.join(ROOT, 'functions') })
  .map(file => path.basename(file, '.ts'))
  .sort()

const outdir = useFolder()

test('the script that loads before the first rows has at most 30.5 KB as served', async () => {
  await buildPages()
  const script = await readFile(path.join(ROOT, PAGE_FILES['explorer.js']), 'utf8')

  expect(encodeBody(script, 'br').byteLength).toBeLessThanOrEqual(MAX_PAGE_BYTES)
})

test('all files of the page together have at most 150 KB as served', async () => {
  await buildPages()
  const files = Object.values(PAGE_FILES).map(file => readFile(path.join(ROOT, file), 'utf8'))
  const sizes = (await Promise.all(files)).map(text => encodeBody(text, 'br').byteLength)

  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(150_000)
})

test.each(FUNCTIONS)('%s is made of these packages', async name => {
  const { packages } = await bundleFunction(`functions/${name}`, { outdir })

  expect(Object.keys(packages).sort()).toMatchSnapshot()
})
