import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { checkPort } from '../../../infra/local/start/ports.ts'
import { useLocalStacks } from '../../support/programs/local-stack.ts'

const { folder, run, runReady, stopAll, eventFile } = useLocalStacks()
const few = eventFile(0, 30)
const many = eventFile(0, 300)
const dataDir = ['--data-dir', path.join(folder, 'data')]

afterEach(stopAll)

test.each(['--port', '--dynamodb-port', '--lambda-port'])('names the used port of %s', async option => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stack = await run([...dataDir, option, String(port)])

  expect(await stack.ended).toBe(1)
  expect(stack.printed.all).toBe(`Port ${port} is in use; choose another one with ${option}\n`)
  server.close()
})

test('ends if the functions cannot be bundled, and names the file that contains the reason', async () => {
  const port = await freePort()
  const builds = path.resolve(import.meta.dirname, '../../../.local/build')
  const file = path.join(builds, String(port))
  await mkdir(builds, { recursive: true })
  await writeFile(file, 'a file where the folder of the bundles belongs')
  try {
    const data = path.join(folder, 'unbundled')
    const stack = await run(['--empty', '--data-dir', data, '--port', String(port)])

    expect(await stack.ended).toBe(1)
    const log = path.join(data, 'api.log')
    expect(stack.printed.errors).toBe(`The API ended (exit code 1); its output is in ${log}\n`)
    expect(await readFile(log, 'utf8')).toContain(file)
  } finally {
    await rm(file)
  }
})

test('two stacks at once have ports of their own, and say which are not the usual ones', async () => {
  // With these ports, the default DynamoDB port of the second stack is already the functions' port of the first stack.
  const [port, near] = await lowPorts(1000)
  const first = await runReady(['--empty', '--data-dir', path.join(folder, 'first'), '--port', String(port)])
  const lambdaPort = await freePort()
  const options = ['--empty', '--data-dir', path.join(folder, 'second'), '--lambda-port', String(lambdaPort)]
  const second = await runReady([...options, '--port', String(near)])

  const [one, other] = [portsIn(first.printed.all), portsIn(second.printed.all)]
  expect([new Set([...one, ...other]).size, other[1]]).toEqual([6, lambdaPort])
  expect(second.printed.all).toContain(
    `  Port ${near + 5000} is in use, so DynamoDB listens on port ${other[2]} this time; to use a fixed port, set --dynamodb-port.\n`,
  )
  expect(second.printed.all).toContain(
    `  There are no events yet. To add some, load files of logs, or index a chain through one of its nodes:\n  npm run load -- --endpoint http://127.0.0.1:${other[2]} --table events logs.ndjson\n`,
  )
})

/** Both ports are lower than those that the system assigns if a program requests any free port. */
async function lowPorts(apart: number): Promise<[number, number]> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 8000)
    if ((await isFree(port)) && (await isFree(port + apart))) return [port, port + apart]
  }
}

const isFree = (port: number) =>
  checkPort({ port, option: '--port' }).then(
    () => true,
    () => false,
  )

const portsIn = (output: string): number[] =>
  ['API', 'Lambda', 'DynamoDB'].map(part =>
    Number(new RegExp(`${part} +http://127.0.0.1:(\\d+)`).exec(output)?.[1]),
  )

test('says that the data folder is in use', async () => {
  const first = await run([...dataDir, '--events', many.name])
  await first.untilPrinted('Loading')
  const second = await run([...dataDir, '--events', many.name])

  expect(await second.ended).toBe(1)
  expect(second.printed.all).toBe(
    `${dataDir[1]} is in use by another local stack; choose another --port or --data-dir\n`,
  )
})

test('says that DynamoDB Local needs Java where there is none', async () => {
  const options = [...dataDir, '--events', few.name, '--engine', 'dynamodb-local']
  const stack = await run(options, { JAVA_HOME: folder })

  expect(await stack.ended).toBe(1)
  expect(stack.printed.errors).toBe(
    'The engine dynamodb-local needs Java 17 or newer, but no Java was found in JAVA_HOME or PATH\n',
  )
})

test.each([
  ['--events /nowhere/logs.ndjson', "Can't read /nowhere/logs.ndjson: the file does not exist"],
  [`--events ${folder}`, `Can't read ${folder}: it is not a file`],
  ['--prot 4010', "error: unknown option '--prot' (Did you mean --port?)"],
  ['--network base', 'error: --network needs --events'],
  ['--events x.json --rpc http://127.0.0.1:9', 'error: --rpc needs --network'],
  ['--events x.json --network base --chain-id 5', 'error: --chain-id needs --rpc'],
  ['--port 4010 --lambda-port 4010', 'error: --port and --lambda-port are both 4010, but must differ'],
  ['--dynamodb-port 4010 --endpoint http://127.0.0.1:9', "' cannot be used with option '--endpoint <url>'"],
  ['--port 65536', "argument '65536' is invalid. A port must be a whole number from 1 to 65535."],
  ['--endpoint http://127.0.0.1:1', 'DynamoDB does not answer at http://127.0.0.1:1: the connection was'],
  ['--endpoint http://127.0.0.1:1 --engine dynalite', "' cannot be used with option '--engine <name>'"],
  ['--data-dir /dev/null/data', "Can't keep data in /dev/null/data: there is a file where a folder must be"],
])('says in one line what is wrong with %j', async (options, reason) => {
  const stack = await run([...dataDir, ...options.split(' ')])

  expect(await stack.ended).toBe(1)
  expect(stack.printed.all).toContain(reason)
  expect(stack.printed.all).toBe(stack.printed.errors)
  expect(stack.printed.all.trimEnd()).not.toContain('\n')
})
