import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { listenWith } from '../../support/http/listen.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStarted } from '../../support/runner/use-started.ts'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
/** To test with another compiler or another Node.js, set `EVENTS_TEST_TSC` or `EVENTS_TEST_NODE` to its path. */
const { EVENTS_TEST_TSC: compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc') } = env
const { EVENTS_TEST_NODE: node = execPath } = env

const folder = useFolder()
let readme: string
const nothing = () => Promise.reject(new Error('Nothing can be found, so nothing is read'))
const storeOfNothing = {
  readList: nothing,
  loadRecords: nothing,
  readBlockTime: nothing,
} as Partial<EventStore> as EventStore

const api = useStarted(() => listenWith(storeOfNothing))

const PROGRAM = `
import { createEventsClient, InvalidParametersError, type EventPage, type EventRecord } from 'blockchain-events-client'

const events = createEventsClient('BASE_URL', { retries: 0 })
const nobody = 'x'.repeat(42)
const page: EventPage<'Minted'> = await events.userEvents(nobody, { event: 'Minted', count: true })
const creators: string[] = page.records.map(record => record.creator)
const walked: EventRecord[] = []
for await (const record of events.eachTokenEvent({ user: nobody, fromTime: new Date(0) })) walked.push(record)
let csv = ''
for await (const { text } of events.exportTokenEvents({ user: nobody }, { format: 'csv' })) csv += text
// @ts-expect-error There is no such parameter.
const refused = await events.tokenEvents({ adress: nobody }).catch(error => {
  if (error instanceof InvalidParametersError) return error.errors.map(({ parameter }) => parameter)
  throw error
})
console.log(JSON.stringify({ creators, walked, total: page.total, csv: csv.slice(0, 9), refused }))
`

/** The README's examples use only this part of Node.js. */
const OF_NODE = 'declare const process: { stdout: { write(text: string): void } }'

beforeAll(async () => {
  await mkdir(path.join(folder, 'out/package'), { recursive: true })
  await writeFile(path.join(folder, 'out/package/thesis.txt'), 'unsaved')
  // As if the user had called the command in `folder`.
  const env = { npm_lifecycle_event: 'client-package', INIT_CWD: folder }
  expect((await runCommand('client-package', ['--out', 'out'], { env })).code).toBe(0)
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const project = { name: 'project', private: true, type: 'module' }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(project))
  await writeFile(path.join(folder, 'program.ts'), PROGRAM.replace('BASE_URL', api.baseUrl))
  readme = await readFile(path.join(ROOT, 'lib/client/package/README.md'), 'utf8')
  const blocks = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code)
  await writeFile(path.join(folder, 'readme.ts'), [OF_NODE, ...blocks].join('\n'))
  const tarball = path.join(folder, 'out', `blockchain-events-client-${version}.tgz`)
  // Installs without a network, because the package has no dependencies.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
})

test('leaves other files of the folder as they are', async () => {
  expect(await readFile(path.join(folder, 'out/package/thesis.txt'), 'utf8')).toBe('unsaved')
})

test('has a README that names all that a client can do', () => {
  const methods = Object.keys(createEventsClient(api.baseUrl))

  expect(methods.filter(name => !readme.includes(`\`${name}\``))).toEqual([])
})

test('is an ES module with types, and depends on nothing', async () => {
  const installed = path.join(folder, 'node_modules/blockchain-events-client')
  const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))

  expect(manifest).toMatchObject({ type: 'module', license: 'MIT', engines: { node: '>=18.17' } })
  expect(Object.keys(manifest).filter(name => /dependencies|scripts|private/i.test(name))).toEqual([])
})

test.each([
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['esnext', 'bundler'],
  ['es2022', 'bundler'],
])('it and its README compile strictly with module %s, resolved as by %s', async (module, resolution) => {
  const outDir = path.join(folder, `${module}-${resolution}`)
  await mkdir(outDir)
  const compilerOptions = {
    ...{
      module,
      moduleResolution: resolution,
      outDir,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
    },
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    },
  }
  const config = path.join(folder, `tsconfig.${module}.json`)
  await writeFile(config, JSON.stringify({ compilerOptions, files: ['program.ts', 'readme.ts'] }))
  const compiled = await run(execPath, [compiler, '-p', config]).catch(({ stdout }) => ({ stdout }))
  const ran = await run(node, [path.join(outDir, 'program.js')], { cwd: folder })

  expect(compiled.stdout).toBe('')
  expect(JSON.parse(ran.stdout)).toEqual({
    creators: [],
    walked: [],
    total: 0,
    csv: 'event,id,',
    refused: ['adress'],
  })
})
