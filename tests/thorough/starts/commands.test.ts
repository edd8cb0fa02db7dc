import { stat } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { runCheck, serviceAt } from '../../../infra/operate/smoke/service.ts'
import { SERVICE_CHECKS } from '../../../infra/operate/smoke/service-checks.ts'
import { explainAbsence } from '../../../lib/kit/explain-absence.ts'
import { readRequest } from '../../../lib/kit/read-request.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { putItems } from '../../../lib/store/writing/put-items.ts'
import { recordForm } from '../../../lib/store/writing/record-form.ts'
import { listen, listenWith } from '../../support/http/listen.ts'
import { isCommand } from '../../support/programs/is-command.ts'
import { FRAMEWORK } from '../../support/programs/package-service.ts'
import { failureOf, refusalOf, runCommand, startProcess } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const writeText = useTextFiles()
const ROOT = path.resolve(import.meta.dirname, '../../..')
const QUERY = 'token-events?limit=1'
const ONLY_A_HANG_MS = 600_000

const stopLater = useStops(afterEach)

describe('npm run explain', () => {
  test.each([
    'http://127.0.0.1:3000/v1/token-events?limit=1&from=a%20b',
    'https://a1b2.execute-api.eu-west-1.amazonaws.com/prod/v1/token-events?limit=1&from=a%20b',
    '127.0.0.1:3000/v1/token-events?limit=1&from=a%20b',
    '/v1/token-events?limit=1&from=a%20b',
    '/token-events?limit=1&from=a%20b',
    'token-events?limit=1&from=a%20b',
  ])('reads the request %s', request => {
    const parameters = [
      ['limit', '1'],
      ['from', 'a b'],
    ]
    expect(readRequest(request)).toEqual({ endpoint: 'token-events', parameters })
  })

  test('reads the address of a user', () => {
    expect(readRequest('http://127.0.0.1:3000/v1/user-events/0x1%2F?skip=1')).toEqual({
      endpoint: 'user-events',
      user: '0x1/',
      parameters: [['skip', '1']],
    })
  })

  test.each(['nonsense', 'http://', 'http://127.0.0.1:3000/v1/events'])('%s is no request', request => {
    expect(() => readRequest(request)).toThrow(`${request} is not a request`)
  })

  test("uses the endpoint of the SDK's variable, and needs no other setting of AWS", async () => {
    const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint }
    const errors = `There is no table nothing at ${engine.endpoint}: check --table and --endpoint\n`
    expect(await failureOf(runCommand('explain', [QUERY, '--table', 'nothing'], { env }))).toBe(errors)
    expect(await runCommand('explain', [QUERY], { env })).toMatchObject({ code: 0, errors: '' })
  })

  test('does not count an empty variable as set', async () => {
    const tableName = await engine.createEventsTable()
    await recordForm({ client: engine.client, tableName, networks: ['base'] })
    const withTable = [QUERY, '--table', tableName, '--endpoint', engine.endpoint]
    const env = { AWS_ENDPOINT_URL_DYNAMODB: '', EVENTS_NETWORKS: '' }
    for (const args of [[QUERY], withTable])
      expect(await runCommand('explain', args, { env })).toMatchObject({ code: 0, errors: '' })
  })
})

describe('npm run smoke', () => {
  const options = { timeoutMs: ONLY_A_HANG_MS }
  const serve = async () => {
    const tableName = await engine.createEventsTable()
    return stopLater(await listenWith(createDynamoEventStore({ client: engine.client, tableName }))).baseUrl
  }

  test('says in one line that nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await refusalOf('smoke', [url])).toBe(`Nothing answers at ${url}: the connection was refused`)
  })

  /** The shell prints the exit code of a command on standard error. */
  test.each([
    [
      'ends quietly when nothing reads its output any more',
      '"$0" infra/commands/smoke.ts "$1" | head -1',
      '',
    ],
    [
      'a command that only reads a table ends when nothing reads its output any more',
      '{ "$0" infra/commands/verify.ts --table nothing --endpoint "$2" 2>&1; echo "$?" >&2; } | true',
      '141\n',
    ],
    [
      'a command that may change something ends its work although nothing reads its output',
      '{ "$0" infra/commands/locate.ts no-such-file 2>&1; echo "$?" >&2; } | true',
      '1\n',
    ],
    [
      'says in one line that its output cannot be written',
      '"$0" infra/commands/explain.ts token-events >/dev/full || true',
      'The output cannot be written: ENOSPC: no space left on device, write\n',
    ],
  ])('%s', async (_, script, stderr) => {
    const given = ['-c', script, process.execPath, await serve(), engine.endpoint]
    const { ended, printed } = startProcess('sh', given)
    expect([await ended, printed.errors]).toEqual([0, stderr])
  })

  test('finds the service, and says to leave out /v1', async () => {
    const url = await serve()
    expect(await explainAbsence(url, options)).toBeUndefined()
    expect(await explainAbsence(`${url}/v1`, options)).toMatch(/ 404 .*; specify the address without \/v1$/)
  })

  const OTHER = /^Something other than the service answers at URL: \d+ for \/v1\/token-events\?limit=1$/
  test.each<[status: number, body: string, headers: OutgoingHttpHeaders, told: RegExp | undefined]>([
    [200, '<h1>Welcome</h1>', {}, OTHER],
    [200, '{"hello":"world"}', {}, OTHER],
    [404, '{"message":"Not Found"}', {}, OTHER],
    [
      301,
      '',
      { location: 'https://me:secret@events.example.org/' },
      /^URL redirects to https:\/\/events\.example\.org\/: specify that address instead$/,
    ],
    [429, '', {}, undefined],
    [503, '', {}, undefined],
  ])('looks at an answer with %s, %s and %j, and says %s', async (status, body, headers, told) => {
    const other = await listen((_, response) => response.writeHead(status, headers).end(body))
    const { baseUrl } = stopLater(other)
    const found = await explainAbsence(baseUrl, options)
    expect(found?.replace(baseUrl, 'URL')).toEqual(told && expect.stringMatching(told))
  })

  test('does not wait for credentials that never arrive', async () => {
    const hanging = { timeoutMs: 50, authorize: () => new Promise<never>(() => undefined) }
    expect(await explainAbsence(await serve(), hanging)).toMatch(/: the request timed out$/)
  })

  test('passes while a new event is in no index yet', async () => {
    const tableName = await engine.createEventsTable([makeEvent('TransferSingle')])
    const createdAt = `${new Date().toISOString().slice(0, 19)}.000Z`
    const [ofAll] = itemsOf(makeEvent('TransferSingle', { blockNumber: 99_000_000, createdAt })).entries
    const { x: _, b: __, ...unindexed } = ofAll as Item
    await putItems([unindexed], { client: engine.documents, tableName })
    const served = await listenWith(createDynamoEventStore({ client: engine.client, tableName }))
    const service = serviceAt(stopLater(served).baseUrl, options)

    const asked = SERVICE_CHECKS.filter(({ name }) => /^token-events|^user-events/.test(name))
    for (const check of asked)
      expect(await runCheck(check, service)).toMatchObject({ name: check.name, passed: true })
    expect(asked).toHaveLength(5)
  })
})

/** Each command's arguments end with the service's address. */
const ASKING: Record<string, string[]> = {
  audit: ['--network', 'base', '--rpc', 'http://127.0.0.1:1', '--service'],
  export: ['token-events', '--out', 'unwritten.csv', '--service'],
  follow: ['--out', 'unwritten.sqlite'],
  mcp: [],
  publish: ['--to', 'eventbridge:a', '--state', 'unwritten.state', '--service'],
  smoke: [],
}

const ALL_ASKING = Object.entries(ASKING).filter(([name]) => isCommand(name))

const SECRETS: [what: string, given: string[], problem: RegExp][] = [
  [
    'credentials in an address',
    ['https://me:secret@127.0.0.1:1/'],
    /must not contain .* a user name or a password.* \(--token or --sign\)\.\n$/,
  ],
  [
    'a token that no header can contain',
    ['http://127.0.0.1:1', '--token', 'secret…'],
    /^error: --token must consist of visible ASCII characters, .*\n$/,
  ],
]

describe.each(SECRETS)('%s', (_, given, problem) => {
  test.each(ALL_ASKING)('npm run %s refuses it, and does not print it', async (name, args) => {
    const { code, output, errors } = await runCommand(name, [...args, ...given])

    expect(code).not.toBe(0)
    expect(errors).toMatch(problem)
    expect(output + errors).not.toContain('secret')
  })
})

test.each([
  'https://me:secret?#@127.0.0.1:1/',
  'https:/me:secret@127.0.0.1:1/',
  'http:me:secret@127.0.0.1:1',
  'https://me:part/secret@127.0.0.1:1/',
  'https://me:12/secret@127.0.0.1:1/',
  'https://me:12/secret with spaces@127.0.0.1:1/',
])('the password of an address that is written wrongly is not printed either: %s', async address => {
  const { code, errors } = await runCommand('smoke', [address])

  expect(code).not.toBe(0)
  expect(errors).not.toContain('secret')
})

test('the password of an endpoint, or of a node, is not printed', async () => {
  const table = [QUERY, '--table', 'x', '--endpoint', 'http://me:secret@127.0.0.1:9']
  const node = ['--network', 'base', '--rpc', 'http://me:12/secret@127.0.0.1']

  expect(await refusalOf('explain', table)).toMatch(/^DynamoDB does not answer at http:\/\/127\.0\.0\.1:9: /)
  expect(await refusalOf('index-chain', node)).toBe(
    "error: option '--rpc <url>' argument 'http://127.0.0.1' is invalid. A slash in a password must be written as %2F, and an at sign in a path as %40.",
  )
})

test.each(['smoke', 'follow', 'export'].filter(isCommand))('npm run %s --sign needs AWS', async name => {
  const args = [...(ASKING[name] ?? []), 'http://127.0.0.1:1', '--sign']
  const errors = await failureOf(runCommand(name, name === 'follow' ? [...args, '--once'] : args))

  expect(errors).toMatch(/^Requests cannot be signed \(--sign\) without AWS credentials: .*\n$/)
})

const NOBODY = 'http://127.0.0.1:9'
const CHAIN = `--network polygon --rpc ${NOBODY}`
const SERVICE = `${CHAIN} --service ${NOBODY}`
const FOLLOW = `${NOBODY} --out unwritten.sqlite`
const PUBLISH = `--service ${NOBODY} --state unwritten.state`
const [ONE, TWO] = ['1', '2'].map(digit => `0x${digit.repeat(40)}`)
const TWO_USERS = `--user ${ONE} --user ${ONE} --user ${TWO}`
const ONLY_ONE = `'--user <address>' argument '${TWO}' is invalid. Only one address is allowed.`
const OF_STAGE =
  "error: option '--stage <name>' argument '../prod' is invalid. A stage must consist of letters, digits and hyphens."

const REFUSED: [command: string, words: string, problem: string][] = [
  ['audit', CHAIN, 'specify --table <name> or --service <url>'],
  ['audit', `${SERVICE} --repair`, '--repair requires --table'],
  ['audit', `${SERVICE} --endpoint http://a`, '--endpoint needs --table'],
  ['audit', `${CHAIN} --table t --sign`, '--sign needs --service'],
  ['audit', `${SERVICE} --no-scan`, '--no-scan needs --table'],
  ['explain', `${QUERY} --table x`, 'No AWS region was found: specify --region or set AWS_REGION'],
  ['explain', `${QUERY} --endpoint ${NOBODY}`, 'error: --endpoint needs --table'],
  ['explain', `${QUERY} --table t --endpoint localhost`, 'It must be a URL such as'],
  ['explain', `${QUERY} --region eu-west-1`, 'error: --region needs --table'],
  [
    'export',
    'token-events --out /nowhere/a',
    "Can't write /nowhere/a: there is no folder /nowhere; create it",
  ],
  ['follow', `${NOBODY} --to copy.sqlite`, '--to must be sqlite:FILE or postgres://'],
  ['follow', `${NOBODY} --to postgres://me:12/secret@a/b`, 'A slash in the password of --to must be written'],
  [
    'follow',
    `${NOBODY} --out :memory:`,
    "Can't write :memory:: SQLite does not treat this name as the name of a file",
  ],
  ['follow', `${FOLLOW} --event Mint`, 'Allowed choices are Minted,'],
  ['follow', `${FOLLOW} ${TWO_USERS}`, ONLY_ONE],
  ['follow', NOBODY, '--out <file>'],
  ['index-chain', '--network base --rpc node', 'It must be a URL'],
  ['index-chain', `${CHAIN} --chain-id 0x1`, 'It must be a whole number of at least 1'],
  ['index-chain', `${CHAIN} --contract 0x1`, 'An address must be 0x and 40 hex digits'],
  ['index-chain', `${CHAIN} --endpoint ${NOBODY}`, 'the connection was refused'],
  ['index-chain', `${CHAIN} --from-block 9 --to-block 8`, '--to-block 8 is before --from-block 9'],
  ['index-chain', `${CHAIN} --from-block 1e3`, 'It must be a whole number of up to 12 digits.'],
  ['index-chain', `${CHAIN} --from-time 2024-02-30`, 'It is a day that does not exist in the calendar.'],
  ['index-chain', `${CHAIN} --confirmations some`, 'It must be a whole number of blocks, or "finalized".'],
  ['index-chain', `${CHAIN} --from-block 9 --from-time 2024-01-01`, 'cannot be used with option'],
  ['index-chain', `${CHAIN} --proof some`, 'Allowed choices are none, doubt, all'],
  ['index-chain', `${CHAIN} --lease-seconds 9`, 'It must be a whole number of seconds from 10 to 3600.'],
  ['index-chain', `${CHAIN} --lease-seconds 3601`, 'It must be a whole number of seconds from 10 to 3600.'],
  ['load', 'x.ndjson', "required option '--table <name>' not specified"],
  ['locate', 'no-such-file', "Can't read no-such-file: the file does not exist"],
  [
    'locate',
    '',
    "The input does not mention any position in a function's bundle. Paste the whole stack trace, or the",
  ],
  ['mcp', 'nonsense', "'nonsense' is invalid for argument 'url'. It must be a URL such as "],
  ...['package', 'restore', 'rollback', 'smoke'].map((name): [string, string, string] => [
    name,
    '--stage ../prod',
    OF_STAGE,
  ]),
  [
    'publish',
    `${PUBLISH} --to https://10.0.0.1/ --secret whsec_${'A'.repeat(44)}`,
    '--to is an address of an internal network',
  ],
  ['publish', `${PUBLISH} --to https://hooks.example.org/`, '--secret is missing'],
  ['publish', `${PUBLISH} --to eventbridge:a ${TWO_USERS}`, ONLY_ONE],
  ['show', 'wallets --table t', 'wallets is not a list: it must look like user#0x…, user#0x…#from, '],
  ['show', 'all@base --table t --limit 1001', 'It must be a whole number from 1 to 1000.'],
]

test.each(REFUSED.filter(([name]) => isCommand(name)))(
  'npm run %s says in one line what is wrong with %j',
  async (name, words, problem) => {
    expect(await refusalOf(name, words.split(' ').filter(Boolean), name === 'audit' ? 2 : 1)).toContain(
      problem,
    )
  },
)

test('npm run locate prints the stack of a file with the places in the source', async () => {
  const file = await writeText('stack', 'at x (/var/task/functions/fallback.cjs:1:2000)\\nat y')
  expect(await runCommand('locate', [file])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^at x \([\w/-]+\.ts:\d+:\d+\)\nat y\n$/),
  })
})

test.each(['deploy', 'remove'])('npm run %s lists its options when asked for help', async command => {
  const { ended, printed } = startProcess(process.execPath, [FRAMEWORK, command, '--help'])

  expect(await ended).toBe(0)
  expect(printed.output).toContain('--stage / -s')
})

test.each([
  ['openapi', 'lib/site/docs/openapi.json'],
  ['record-logs', 'infra/local/data/recorded.ndjson'],
])('%s writes no file if asked for help, or given an unknown option', async (command, file) => {
  const { mtimeMs } = await stat(path.join(ROOT, file))
  expect(await runCommand(command, ['--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('Usage: '),
  })
  expect(await refusalOf(command, ['--fast'])).toBe("error: unknown option '--fast'")
  expect((await stat(path.join(ROOT, file))).mtimeMs).toBe(mtimeMs)
})
