import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Template } from '../../../infra/deploy/template.ts'
import { makeServiceFolder } from '../../support/programs/package-service.ts'
import { failureOf, runCommand, startProcess } from '../../support/programs/run-command.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useStarted } from '../../support/runner/use-started.ts'

const folder = useFolder()
const service = useStarted(makeServiceFolder)
let loaded: string[]
let output: string

beforeAll(async () => {
  await mkdir(path.join(folder, 'temporary'))
  const given = ['--stage', 'prod', '--package', '.serverless']
  // With these options, the framework runs in the copy, and not in the repository, to which the copy's links lead.
  const inCopy = ['--preserve-symlinks', '--preserve-symlinks-main', 'infra/commands/package.ts']
  const { ended, printed } = startProcess(process.execPath, [...inCopy, ...given], {
    cwd: service.folder,
    env: {
      // As if the user had called the command in `folder`.
      npm_lifecycle_event: 'package',
      INIT_CWD: folder,
      HOME: folder,
      TMPDIR: path.join(folder, 'temporary'),
      NODE_V8_COVERAGE: path.join(folder, 'coverage'),
    },
  })
  expect(await ended).toBe(0)
  output = printed.output
  loaded = await loadedFiles(path.join(folder, 'coverage'))
})

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

test.each(['own.serverless', 'other-service/.serverless'])('refuses %s with other files', async name => {
  const own = path.join(folder, name)
  await mkdir(own, { recursive: true })
  await writeFile(path.join(own, 'thesis.txt'), 'unsaved')

  expect(await failureOf(runCommand('package', ['--package', own]))).toBe(
    `error: ${own} contains other files, which would be deleted; choose another folder for --package\n`,
  )
  expect(await readdir(own)).toEqual(['thesis.txt'])
})

test.each([
  ['package', '--package', "Can't use FILE: there is a file where a folder must be"],
  ['client-package', '--out', "Can't use FILE: there is a file where a folder must be"],
  [
    'write-import',
    '--out',
    "Can't keep data in FILE: there is a file where a folder must be; choose another --out",
  ],
])('npm run %s says in one line that %s names a file', async (command, option, message) => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')

  const logs = command === 'write-import' ? [path.join(folder, 'logs.ndjson')] : []
  expect(await failureOf(runCommand(command, [option, file, ...logs]))).toBe(
    `${message.replace('FILE', file)}\n`,
  )
})

test('leaves nothing in the temporary folder of the machine', async () => {
  expect(await readdir(path.join(folder, '.serverless'))).toContain('userEvents.zip')
  expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
})

describe('the template without the framework', () => {
  const read = async (file: string): Promise<Template> =>
    JSON.parse(await readFile(path.join(folder, '.serverless', file), 'utf8'))
  const isFunction = ({ Type }: { Type: string }) => Type === 'AWS::Lambda::Function'
  const codeOf = ({ Properties }: { Properties?: Record<string, unknown> }) => Properties?.Code

  test('has every resource of the template that the framework deploys, each the same but for where code is', async () => {
    const framework = await read('cloudformation-template-update-stack.json')
    const plain = await read('template.json')
    const withoutCode = ({ Resources, ...rest }: Template) => ({
      ...rest,
      Resources: Object.entries(Resources).map(([name, resource]) =>
        isFunction(resource)
          ? [name, { ...resource, Properties: { ...resource.Properties, Code: 'elsewhere' } }]
          : [name, resource],
      ),
    })

    expect(Object.keys(plain.Resources).length).toBeGreaterThan(50)
    expect(withoutCode(plain)).toEqual(withoutCode(framework))
  })

  test('names for each function the zip beside it, and nothing of the framework', async () => {
    const plain = await read('template.json')
    const zips = (await readdir(path.join(folder, '.serverless'))).filter(name => name.endsWith('.zip'))
    const named = Object.values(plain.Resources).filter(isFunction).map(codeOf)

    expect(named.sort()).toEqual(zips.sort())
    expect(zips.length).toBeGreaterThan(5)
    expect(JSON.stringify(plain)).not.toContain('"S3Key"')
  })

  test('is deployed by the lines that are printed, with the tags of the stack', () => {
    const lines = output.trimEnd().split('\n').slice(-2)

    expect(lines[0]).toMatch(
      /^aws cloudformation package --template-file \.serverless\/template\.json --s3-bucket BUCKET /,
    )
    expect(lines[1]).toMatch(
      / --stack-name blockchain-events-prod --capabilities CAPABILITY_IAM --tags service=blockchain-events stage=prod$/,
    )
  })
})
