import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { useLocalStacks } from '../../support/programs/local-stack.ts'

const { folder, run, stopAll, eventFile } = useLocalStacks()
const few = eventFile(0, 30)
const many = eventFile(0, 300)
const dataDir = ['--data-dir', path.join(folder, 'data')]

afterEach(stopAll)

test('says that the port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stack = await run([...dataDir, '--port', String(port)])

  expect(await stack.ended).toBe(1)
  expect(stack.output()).toBe(`Port ${port} is in use; choose another one with --port\n`)
  server.close()
})

test('says that the data folder is in use', async () => {
  const first = await run([...dataDir, '--events', many.name])
  await first.untilPrinted('Loading')
  const second = await run([...dataDir, '--events', many.name])

  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(
    `${dataDir[1]} is in use by another local stack; choose another --port or --data-dir\n`,
  )
})

test('says that DynamoDB Local needs Java where there is none', async () => {
  const options = [...dataDir, '--events', few.name, '--engine', 'dynamodb-local']
  const stack = await run(options, { JAVA_HOME: folder })

  expect(await stack.ended).toBe(1)
  expect(stack.errors()).toBe(
    'The engine dynamodb-local needs Java 17 or newer, and no java was found (looked at JAVA_HOME and PATH)\n',
  )
})

test.each([
  [['--events', '/nowhere/logs.ndjson'], "Can't read /nowhere/logs.ndjson: no such file"],
  [['--events', folder], `Can't read ${folder}: not a file`],
  [['--events'], "error: option '--events <file>' argument missing"],
  [['--prot', '4010'], "error: unknown option '--prot' (Did you mean --port?)"],
  [['logs.ndjson'], 'error: too many arguments. Expected 0 arguments but got 1.'],
  [
    ['--port', '65536'],
    "error: option '--port <number>' argument '65536' is invalid. A port is a whole number from 1 to 65535.",
  ],
  [
    ['--engine', 'sqlite'],
    "error: option '--engine <name>' argument 'sqlite' is invalid. Allowed choices are dynalite, dynamodb-local.",
  ],
  [
    ['--endpoint', 'localhost:8000'],
    "error: option '--endpoint <url>' argument 'localhost:8000' is invalid. It is a URL such as http://127.0.0.1:8000.",
  ],
  [['--endpoint', 'http://127.0.0.1:1'], 'No DynamoDB answers at http://127.0.0.1:1: nothing listens there'],
  [
    ['--endpoint', 'http://127.0.0.1:1', '--engine', 'dynalite'],
    "error: option '--endpoint <url>' cannot be used with option '--engine <name>'",
  ],
  [['--data-dir', '/dev/null/data'], "Can't keep data in /dev/null/data: "],
])('says in one line what is wrong with %j', async (options, reason) => {
  const stack = await run([...dataDir, ...options])

  expect(await stack.ended).toBe(1)
  expect(stack.output().startsWith(reason)).toBe(true)
  expect(stack.output()).toBe(stack.errors())
  expect(stack.output().trimEnd()).not.toContain('\n')
})
