import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { commandClient } from '../../lib/kit/command-client.ts'
import { DEADLINE_RESERVE_MS } from '../../lib/query/budget.ts'
import { withSignal } from '../../lib/store/call-signal.ts'
import { createClient, createIndexingClient } from '../../lib/store/create-client.ts'
import { listKey } from '../../lib/store/format/keys.ts'
import { useFaultProxies } from '../support/faults/fault-proxy.ts'
import { pass } from '../support/faults/faults.ts'
import { hanging, stalled } from '../support/faults/read-faults.ts'
import { handlerOf, liftTimeLimits } from '../support/faults/time-limits.ts'
import { makeEvent } from '../support/records/make-event.ts'
import { useEngine } from '../support/store/engine.ts'
import { LOCAL_ACCESS } from '../support/store/local-client.ts'

const { jest } = import.meta
afterEach(() => jest.restoreAllMocks())

const engine = useEngine()
const startFaultProxy = useFaultProxies()

/** The text is so long that it is stored in chunks, as bytes. */
const minted = makeEvent('Minted', { bucketHash: '"snow" ☃ 💧'.repeat(1000) })
/** An event in the same list as `minted`, but short enough to need no chunks. */
const short = makeEvent('Minted', { logIndex: minted.logIndex + 1, bucketHash: 'snow ☃ \u0000 "quoted" 💧' })

/** Returns the service's own client, and for comparison the SDK's client with default settings. */
async function setup(changes: DynamoDBClientConfig = {}) {
  const TableName = await engine.createEventsTable([minted, short])
  const config = { ...LOCAL_ACCESS, endpoint: engine.endpoint, ...changes }
  const query = (more: object = {}) =>
    new QueryCommand({
      ...{ TableName, KeyConditionExpression: 'l = :list', ReturnConsumedCapacity: 'TOTAL' },
      ExpressionAttributeValues: { ':list': { S: listKey({ of: 'all' }, minted.network) } },
      ...more,
    })
  return { TableName, client: liftTimeLimits(createClient(config)), plain: new DynamoDBClient(config), query }
}

test('no copy of an answer is made for a log', async () => {
  const copies: unknown[] = []
  const ignore = () => undefined
  const logger = { debug: ignore, info: (copy: unknown) => copies.push(copy), warn: ignore, error: ignore }
  const { client, plain, query } = await setup({ logger })

  await client.send(query())
  expect(copies).toEqual([])
  await plain.send(query())
  expect(copies).toMatchObject([{ commandName: 'QueryCommand', output: { Count: 2 } }])
})

test('credentials that run out are replaced by new ones', async () => {
  const users: (string | undefined)[] = []
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    users.push(/Credential=(\w+)\//.exec(String(request.headers.authorization))?.[1])
    return pass(request, forward)
  })
  const HOUR_MS = 3_600_000
  let count = 0
  const credentials = async () => {
    count += 1
    const expiration = new Date(Date.now() + HOUR_MS)
    return { ...LOCAL_ACCESS.credentials, accessKeyId: `local${count}`, expiration }
  }
  const { client, query } = await setup({ endpoint: proxy.url, credentials })

  await client.send(query())
  // The SDK requests new credentials five minutes before the old credentials expire.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS - 4 * 60_000)
  await client.send(query())
  await client.send(query())

  expect(users).toEqual(['local1', 'local2', 'local2'])
  client.destroy()
})

/** Sends a command as the store does. */
const send = (
  client: DynamoDBClient,
  command: QueryCommand,
  { signal: abortSignal } = new AbortController(),
) => withSignal({ client, abortSignal }, options => client.send(command, options))
/** Sends a command as ordinary code does. */
const sendWithOption: typeof send = (client, command, { signal: abortSignal } = new AbortController()) =>
  client.send(command, { abortSignal })

test('middleware is put together once for calls that can be broken off', async () => {
  const { client, plain, query } = await setup()
  async function buildsOf(client: DynamoDBClient) {
    let builds = 0
    const count = <Next>(next: Next) => {
      builds += 1
      return next
    }
    client.middlewareStack.add(count, { step: 'finalizeRequest' })
    for (let call = 0; call < 3; call += 1) await send(client, query())
    return builds
  }

  expect([await buildsOf(client), await buildsOf(plain)]).toEqual([1, 3])
})

test.each([
  ['that the store sends', 'client', send],
  ['that comes as an option', 'client', sendWithOption],
  ["that the store sends, on the SDK's own client", 'plain', send],
] as const)('a signal %s breaks off its own call, and no other', async (_, which, sendWith) => {
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) =>
    request.body.includes('"Limit":1') ? hanging(request, forward) : pass(request, forward),
  )
  const { [which]: client, query } = await setup({ endpoint: proxy.url })
  const stop = new AbortController()

  const hangs = sendWith(client, query({ Limit: 1 }), stop)
  const goesOn = sendWith(client, query())
  const hasNone = client.send(query())
  expect((await goesOn).Count).toBe(2)
  stop.abort()

  await expect(hangs).rejects.toMatchObject({ name: 'AbortError' })
  expect((await hasNone).Count).toBe(2)
  expect((await client.send(query())).Count).toBe(2)
  expect(proxy.requestCount()).toBe(4)
  client.destroy()
})

function listOnce(client: DynamoDBClient) {
  client.config.retryStrategy = async () => ({
    acquireInitialRetryToken: async () => ({ getRetryCount: () => 0, getRetryDelay: () => 0 }),
    refreshRetryTokenForRetry: (_, { error }) => Promise.reject(error),
    recordSuccess: () => undefined,
  })
  return client.send(new ListTablesCommand())
}

describe('its time limits', () => {
  /** From serverless.yml. */
  const FUNCTION_TIMEOUT_MS = 10_000
  /** The maximum sum of the SDK's delays between three attempts. */
  const DELAYS_MS = 2_000

  test('end a request that is not answered, or only by halves', async () => {
    const ended = [hanging, stalled].map(async fault => {
      const proxy = await startFaultProxy(engine.endpoint, fault)
      const client = createClient({ ...LOCAL_ACCESS, endpoint: proxy.url })
      await expect(listOnce(client)).rejects.toThrow()
      client.destroy()
    })

    await Promise.all(ended)
  })

  test('of commands, and of the functions that write, end a request that is answered by halves', async () => {
    const proxy = await startFaultProxy(engine.endpoint, stalled)
    jest.replaceProperty(process, 'env', {
      ...process.env,
      ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    })
    const clients = [createIndexingClient(), await commandClient({ requestTimeoutMs: 1000 })]

    await Promise.all(clients.map(client => expect(listOnce(client)).rejects.toThrow()))

    for (const client of clients) client.destroy()
  })

  test('leave a function the time to say that it has no answer', async () => {
    const client = createClient({ ...LOCAL_ACCESS, endpoint: engine.endpoint })
    // The SDK reads the limits at the first call. This call is aborted before it is sent, so no limit can end it.
    const beforeItIsSent = { abortSignal: AbortSignal.abort() }
    await expect(client.send(new ListTablesCommand(), beforeItIsSent)).rejects.toThrow('aborted')
    const { requestTimeout = 0, socketTimeout = 0 } = handlerOf(client).httpHandlerConfigs()
    const attempts = await client.config.maxAttempts()

    expect(Math.min(requestTimeout, socketTimeout)).toBeGreaterThan(0)
    expect(attempts * Math.max(requestTimeout, socketTimeout) + DELAYS_MS).toBeLessThanOrEqual(
      FUNCTION_TIMEOUT_MS - DEADLINE_RESERVE_MS,
    )
    client.destroy()
  })
})
