import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { activity } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf } from '../../support/programs/use-packaged-service.ts'
import { until } from '../../support/runner/until.ts'
import { LOCAL_ACCESS, localClient } from '../../support/store/local-client.ts'

/**
 * The whole stack in miniature: a node, the table, the indexer, the functions, their HTTP routes, and the deployed
 * schedules. The tests form a sequence: each continues from the state that the previous test left.
 */
const packaged = useVariant('dev')
const { folder, runReady, eventFile } = useLocalStacks()
const NETWORK = 'base'

knowNodeErrors()
let chain: TestChain
let stack: PlacedStack
let lambda: LambdaClient
let table: DynamoDBClient
let truth: EventRecord[]

beforeAll(async () => {
  chain = await startChain()
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
  truth = await chainEvents(chain, NETWORK)
  stack = await runReady(['--data-dir', folder, '--events', eventFile(0, 0).name], {
    INDEX_CONFIG: JSON.stringify({ [NETWORK]: { rpc: [chain.rpcUrl], confirmations: 0 } }),
  })
  lambda = new LambdaClient({ ...LOCAL_ACCESS, endpoint: printedUrl('Lambda') })
  table = localClient(printedUrl('DynamoDB'))
})
afterAll(async () => {
  lambda?.destroy()
  table?.destroy()
  await chain?.stop()
})

const printedUrl = (name: string) => new RegExp(`${name} +(http://\\S+)`).exec(stack.printed.all)?.[1] ?? ''

async function invoke(name: string, payload: unknown = {}): Promise<unknown> {
  const FunctionName = `blockchain-events-local-${name}`
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) })
  for (;;) {
    const { Payload, FunctionError } = await lambda.send(command)
    const text = Buffer.from(Payload ?? []).toString()
    const answer = text ? JSON.parse(text) : null
    if (!FunctionError) return answer
    // A caller should retry after this error, which occurs if the table is slow on the test's machine.
    if (answer.errorType !== 'StoreUnavailableError') return { failed: answer.errorType }
  }
}

async function fireSchedules(): Promise<Record<string, unknown>> {
  const outcomes: Record<string, unknown> = {}
  for (const { Properties } of Object.values(resourcesOf(packaged.template, 'AWS::Events::Rule'))) {
    const [{ Input, Arn }] = Properties.Targets as [{ Input?: string; Arn: { 'Fn::GetAtt': [string] } }]
    if (!Input) continue
    const [resource] = Arn['Fn::GetAtt']
    const name = resource.replace('LambdaFunction', '')
    outcomes[name] = await invoke(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, JSON.parse(Input))
  }
  return outcomes
}

/** The time limit is long, because the test's machine may be slow. */
const smoke = () => runCommand('smoke', [stack.url, '--timeout', '600'])

/** Waits for the line, because log lines arrive through pipes with a delay. */
const untilLogged = (line: RegExp) =>
  until(async () => line.test(await readFile(path.join(folder, 'api.log'), 'utf8')))

test('before anything is indexed, the scheduled smoke checks fail', async () => {
  expect(await fireSchedules()).toEqual({
    UserEvents: { failed: 'SmokeCheckFailed' },
    TokenEvents: { failed: 'SmokeCheckFailed' },
    Changes: { failed: 'SmokeCheckFailed' },
  })
})

test('the indexer, invoked as its schedule does, fills the table with what the node has', async () => {
  expect(await invoke('indexChain')).toBeNull()
  await untilLogged(/"network":"base".*"IndexLag":\d/)

  const answer = await invoke('tokenEvents', { query: { createdAt: 'asc', limit: 500 } })
  expect(answer).toEqual({ events: truth, next: null, partial: false })
})

test('the scheduled smoke checks pass, and the metric that the alarm looks at says so', async () => {
  const outcomes = await fireSchedules()

  for (const name of ['UserEvents', 'TokenEvents']) {
    expect(outcomes[name]).toMatchObject({ events: [expect.objectContaining({ network: NETWORK })] })
  }
  expect(outcomes.Changes).toMatchObject({ changes: [{ record: { network: NETWORK } }] })
  for (const endpoint of ['user-events', 'token-events', 'changes']) {
    await untilLogged(new RegExp(`"endpoint":"${endpoint}".*"SmokeChecksPassed":1`))
  }
})

test('once the table is gone, schedules and npm run smoke are red', async () => {
  await table.send(new DeleteTableCommand({ TableName: 'events' }))

  const outcomes = await fireSchedules()
  expect(Object.values(outcomes)).toEqual(Array.from({ length: 3 }, () => ({ failed: expect.any(String) })))
  const { code, output } = await smoke()
  expect(output).toMatch(/^FAIL +token-events, newest first/m)
  // Invalid requests are rejected without a read of the table.
  expect(output).toMatch(/^ok +GET \/v1\/token-events\?limit=0/m)
  expect(output).toMatch(/^\d+ of \d+ checks failed$/m)
  expect(code).toBe(1)
})
