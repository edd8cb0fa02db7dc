import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { httpEvent } from '../support/http/http-events.ts'
import { listen } from '../support/http/listen.ts'
import { useVariant } from '../support/programs/stage-variants.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { tokenEvents } from '../support/requests/api-request.ts'
import { useFolder } from '../support/runner/use-folder.ts'
import { useEngine } from '../support/store/engine.ts'
import { RUNTIME_CLIENT } from './runtime-client.ts'

const packaged = useVariant('prod')
const engine = useEngine()
const records = eventSetOf({ blocks: 2, events: 3 }, 5)

/** The result of an invocation, as the function reports it to Lambda. */
interface Outcome {
  /** `response` if the function answered. `error` if the invocation or the start failed. */
  kind: string
  body: { statusCode?: number; events?: object[]; errorType?: string; errorMessage?: string }
}

const folder = useFolder()
let tableName: string
beforeAll(async () => {
  tableName = await engine.createEventsTable(records)
})

/** A function's environment and handler name, as defined in the template. */
function configurationOf(name: string) {
  const logicalId = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}LambdaFunction`
  const { Handler = '', Environment } = (packaged.template.Resources[logicalId]?.Properties ?? {}) as {
    Handler?: string
    Environment?: { Variables: Record<string, string> }
  }
  return { handler: Handler, variables: Environment?.Variables ?? {} }
}

async function invoke(name: string, event: object, variables: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const task = path.join(folder, name)
  const files = unzipSync(await readFile(path.join(packaged.folder, `${name}.zip`)))
  for (const [file, bytes] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(task, file)), { recursive: true })
    await writeFile(path.join(task, file), bytes)
  }
  const { handler, variables: deployed } = configurationOf(name)
  const { promise: outcome, resolve: tell } = Promise.withResolvers<Outcome>()
  let invocations = 0
  const lambda = await listen(async (request, response) => {
    if (request.url?.endsWith('/invocation/next')) {
      invocations += 1
      // Lambda answers this request only when there is a next invocation.
      if (invocations > 1) return
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': 'b8b1f1a0-0000-4000-8000-000000000000',
        'lambda-runtime-deadline-ms': String(Date.now() + 900_000),
        'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-west-1:123456789012:function:${name}`,
      })
      response.end(JSON.stringify(event))
      return
    }
    const kind = path.basename(request.url ?? '')
    const body = await text(request)
    response.writeHead(202).end('{}')
    tell({ kind, body: JSON.parse(body) as Outcome['body'] })
  })
  const child = spawn(process.execPath, [RUNTIME_CLIENT, handler], {
    cwd: task,
    env: {
      ...{ AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
      ...deployed,
      EVENTS_TABLE: tableName,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_LAMBDA_RUNTIME_API: lambda.baseUrl.replace('http://', ''),
      ...{ AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_FUNCTION_VERSION: '1' },
      ...{ AWS_LAMBDA_LOG_GROUP_NAME: name, AWS_LAMBDA_LOG_STREAM_NAME: name },
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      LAMBDA_TASK_ROOT: task,
      _HANDLER: handler,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    return await Promise.race([outcome, endOf(child)])
  } finally {
    child.kill('SIGKILL')
    await lambda.stop()
  }
}

async function endOf(child: ChildProcess): Promise<never> {
  const { stdout, stderr } = child
  const printed = Promise.all([stdout, stderr].map(stream => (stream ? text(stream) : '')))
  await once(child, 'exit')
  throw new Error(`The runtime client ended: ${(await printed).join('\n')}`)
}

test('token-events answers HTTP and direct calls', async () => {
  const event = httpEvent(tokenEvents([['limit', '2']]), { format: 'http-api' })
  const http = await invoke('tokenEvents', event)
  const direct = await invoke('tokenEvents', { query: { limit: 3 } })

  expect(http).toMatchObject({ kind: 'response', body: { statusCode: 200 } })
  expect(direct.body.events).toHaveLength(3)
})

test('user-events answers, and says what is wrong with a call', async () => {
  const right = await invoke('userEvents', { address: `0x${'0'.repeat(40)}`, query: {} })
  const wrong = await invoke('userEvents', { address: '0x1', query: {} })

  expect(right).toMatchObject({ kind: 'response', body: { partial: false } })
  expect(wrong).toMatchObject({ kind: 'error', body: { errorType: 'InvalidQueryError' } })
})

test.each([
  ['docs', '/docs', 200],
  ['docs', '/docs/docs.js', 200],
  ['docs', '/v1/openapi.json', 200],
  ['docs', '/llms.txt', 200],
  ['status', '/v1/status', 200],
  ['status', '/page/explorer.js', 200],
  ['fallback', '/no-such-path', 404],
])('%s answers %s', async (name, route, status) => {
  const event = httpEvent(tokenEvents([]), { format: 'http-api', path: route, rawQuery: '' })
  expect(await invoke(name, event)).toMatchObject({ kind: 'response', body: { statusCode: status } })
})

test('index-chain starts, and says that no node answers', async () => {
  const config = { base: { rpc: ['http://127.0.0.1:9'], contracts: 'any', fromBlock: 1 } }
  const { kind, body } = await invoke('indexChain', {}, { INDEX_CONFIG: JSON.stringify(config) })

  expect([kind, body.errorType]).toEqual(['error', 'AggregateError'])
  expect(body.errorMessage).toContain('No node gives a valid answer: 127.0.0.1:9')
})
