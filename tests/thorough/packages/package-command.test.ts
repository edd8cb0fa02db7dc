import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const BUILD_FOLDER = path.join('.local', 'build', randomUUID())

let folder: string
let loaded: string[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'package-command-'))
  await mkdir(path.join(folder, 'temporary'))
  const given = ['--stage', 'prod', '--package', path.join(folder, 'zips')]
  await promisify(execFile)(process.execPath, ['infra/commands/package.ts', ...given], {
    cwd: ROOT,
    env: {
      ...process.env,
      HOME: folder,
      TMPDIR: path.join(folder, 'temporary'),
      EVENTS_BUILD_FOLDER: BUILD_FOLDER,
      NODE_V8_COVERAGE: path.join(folder, 'coverage'),
    },
  })
  loaded = await loadedFiles(path.join(folder, 'coverage'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await rm(path.join(ROOT, BUILD_FOLDER), { recursive: true, force: true })
})

/** The files that Node.js has loaded, by what it noted of how they ran. */
async function loadedFiles(coverage: string): Promise<string[]> {
  const texts = (await readdir(coverage)).map(name => readFile(path.join(coverage, name), 'utf8'))
  const notes = (await Promise.all(texts)).map(text => JSON.parse(text) as { result: { url: string }[] })
  return notes.flatMap(({ result }) => result.map(({ url }) => url))
}

test('loads what deploys, and nothing of the local stack', () => {
  const from = (part: string) => loaded.filter(url => url.includes(part))

  expect(from('/infra/deploy/refuse-wrong-settings.ts')).not.toEqual([])
  expect(from('/node_modules/serverless-esbuild/')).not.toEqual([])
  expect(from('/infra/local/')).toEqual([])
})

test('leaves nothing in the temporary folder of the machine', async () => {
  expect(await readdir(path.join(folder, 'zips'))).toContain('userEvents.zip')
  expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
})
