import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeServiceFolder, type ServiceFolder } from '../../support/programs/service-folder.ts'

let folder: string
let service: ServiceFolder
let loaded: string[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'package-command-'))
  service = await makeServiceFolder()
  await mkdir(path.join(folder, 'temporary'))
  const given = ['--stage', 'prod', '--package', path.join(folder, 'zips')]
  await promisify(execFile)(process.execPath, ['infra/commands/package.ts', ...given], {
    cwd: service.folder,
    env: {
      ...process.env,
      HOME: folder,
      TMPDIR: path.join(folder, 'temporary'),
      NODE_V8_COVERAGE: path.join(folder, 'coverage'),
    },
  })
  loaded = await loadedFiles(path.join(folder, 'coverage'))
})
afterAll(async () => {
  await service.remove()
  await rm(folder, { recursive: true })
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
  expect(from('/infra/deploy/package-functions.ts')).not.toEqual([])
  expect(from('/infra/local/')).toEqual([])
})

test('leaves nothing in the temporary folder of the machine', async () => {
  expect(await readdir(path.join(folder, 'zips'))).toContain('userEvents.zip')
  expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
})
