import { existsSync } from 'node:fs'
import { usersOf } from '../../../lib/events/lists.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { itemsOf } from '../../../lib/store/format/event-items.ts'
import {
  blockTimesList,
  CHECKPOINTS_LIST,
  LIST_KEY,
  REVISIONS_LIST,
  SUBSCRIPTIONS_LIST,
} from '../../../lib/store/format/keys.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { directPayload } from '../../support/http/ask.ts'
import { lambdaContext } from '../../support/http/http-events.ts'
import { queryFunction } from '../../support/http/query-functions.ts'
import { writesOf } from '../../support/programs/evaluate-policy.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf } from '../../support/programs/use-packaged-service.ts'
import { eventSetOf, FIRST_KINDS } from '../../support/records/arbitrary-records.ts'
import { longBatch } from '../../support/records/make-event.ts'
import { type Endpoint, userEvents } from '../../support/requests/api-request.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { useEngine } from '../../support/store/engine.ts'
import { localClient } from '../../support/store/local-client.ts'

const packaged = useVariant('prod')
const full = useVariant('full')
const engine = useEngine()
const chain = useChain()

interface Statement {
  Effect: 'Allow' | 'Deny'
  Action?: string | string[]
  Resource: unknown
}

/** Lines of the form `action on resource`, which name the resources as the template does. */
const allowedBy = ({ Effect, Action = [], Resource }: Statement): string[] =>
  [Action]
    .flat()
    .flatMap(action => [Resource].flat().map(resource => `${action} on ${nameOf(resource)}`))
    .filter(() => Effect === 'Allow')

const allowedTo = (role: string): string[] =>
  statementsIn(packaged.template.Resources[role]?.Properties.Policies).flatMap(allowedBy)

function nameOf(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return String(resource)
  if ('Fn::Sub' in resource) return String(resource['Fn::Sub'])
  return 'Fn::GetAtt' in resource ? [resource['Fn::GetAtt']].flat().join('.') : JSON.stringify(resource)
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in.
const TABLE = 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/blockchain-events-prod'
// X-Ray accepts no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
const TRACE = ['xray:PutTraceSegments on *', 'xray:PutTelemetryRecords on *']
const onTable = (...actions: string[]) => actions.map(action => `dynamodb:${action} on ${TABLE}`)
const readFrom = (...indexes: string[]) => [
  ...onTable('BatchGetItem', 'GetItem', 'Query'),
  ...indexes.map(index => `dynamodb:Query on ${TABLE}/index/${index}`),
]
const parameter = (name: string) =>
  `ssm:GetParameter on arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/blockchain-events/prod/${name}`

/**
 * What each function may do besides writing its log and traces. `ALLOWED` omits the functions of wings that were taken
 * out.
 */
const ALL: [lambda: string, allowed: string[]][] = [
  ['UserEvents', readFrom('byUser', 'byTransaction', 'byBlock')],
  ['TokenEvents', readFrom('byUser', 'byToken', 'byTransaction', 'byBlock')],
  ['Changes', readFrom()],
  ['Status', onTable('Query')],
  ['Docs', []],
  ['Fallback', []],
  [
    'CheckVersion',
    ['UserEvents', 'TokenEvents', 'Changes'].map(
      name => `lambda:InvokeFunction on \${${name}LambdaFunction.Arn}:*`,
    ),
  ],
  [
    'IndexChain',
    [
      ...onTable('BatchGetItem', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'),
      parameter('index'),
    ],
  ],
  ['AuditChain', [...onTable('BatchGetItem', 'GetItem', 'Query', 'UpdateItem'), parameter('index')]],
  ['Publish', [...readFrom(), ...onTable('DeleteItem', 'PutItem', 'UpdateItem'), parameter('publish')]],
]
const fileOf = (lambda: string) => `${lambda.replace(/\B[A-Z]/g, '-$&').toLowerCase()}.ts`
const ALLOWED = ALL.filter(([lambda]) =>
  existsSync(new URL(`../../../functions/${fileOf(lambda)}`, import.meta.url)),
)

test.each(ALLOWED)('the role of %s allows exactly what its function does', (lambda, allowed) => {
  const log = ['CreateLogStream', 'PutLogEvents'].map(action => `logs:${action} on ${lambda}LogGroup.Arn`)
  expect(allowedTo(`${lambda}Role`).sort()).toEqual([...allowed, ...log, ...TRACE].sort())
})

test.each(ALLOWED.filter(([, allowed]) => allowed.includes(parameter('index'))))(
  'the role of %s allows the key of the configuration, where that has one of its own',
  lambda => {
    const statements = statementsIn(full.template.Resources[`${lambda}Role`]?.Properties)

    expect(statements.filter(({ Action }) => String(Action).startsWith('kms:'))).toEqual([
      {
        Sid: 'ConfigurationKey',
        Effect: 'Allow',
        Action: 'kms:Decrypt',
        Resource: 'arn:aws:kms:us-east-1:123456789012:key/1',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in.
        Condition: { StringEquals: { 'kms:ViaService': { 'Fn::Sub': 'ssm.${AWS::Region}.amazonaws.com' } } },
      },
    ])
  },
)

test('the function of the status reads the checkpoints and nothing else', () => {
  const { StatusRole } = packaged.template.Resources
  const reading = statementsIn(StatusRole?.Properties).filter(({ Action }) => Action === 'dynamodb:Query')

  expect(reading).toMatchObject([
    { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [CHECKPOINTS_LIST] } } },
  ])
})

test('the indexer changes checkpoints, the log, events and block times, and no subscription', () => {
  const items = eventSetOf({ blocks: 4, events: 8, crowd: 40 }, 3).flatMap(record =>
    Object.values(itemsOf(record)).flat(),
  )
  const lists = new Set(items.map(({ [LIST_KEY]: list }) => String(list)))
  const mayWrite = writesOf(packaged.template, 'IndexChainRole')
  const written = [...lists, ...NETWORKS.map(blockTimesList), CHECKPOINTS_LIST, REVISIONS_LIST]

  expect(lists.size).toBeGreaterThan(20)
  for (const action of ['BatchWriteItem', 'DeleteItem', 'UpdateItem']) {
    expect(written.filter(list => !mayWrite(action, [list]))).toEqual([])
    expect(mayWrite(action, [SUBSCRIPTIONS_LIST])).toBe(false)
    expect(mayWrite(action, [...written, SUBSCRIPTIONS_LIST])).toBe(false)
  }
  expect(mayWrite('PutItem', ['all@137'])).toBe(false)
})

test('the indexer may send each request of a run whose scope changes before the first checkpoint', async () => {
  const tableName = await engine.createEventsTable()
  const [first, second] = chain.contracts as [string, string]
  const [by] = chain.users as [`0x${string}`]
  const ids = longBatch(500).tokenIds.map(BigInt)
  await chain.mine([{ by, contract: 0, functionName: 'mintBatch', args: [by, ids, ids.map(() => 1n)] }])
  const network = 'polygon'
  await writeEvents({ client: engine.client, tableName }, await chainEvents(chain, network))
  const target = { endpoint: engine.endpoint, tableName, network, rpcUrls: [chain.rpcUrl] } as const
  const stop = new AbortController()
  const onStart = () => stop.abort(new Error('Stopped'))
  await indexChain({ ...target, contracts: [first], signal: stop.signal, onStart })

  const used = new Set<string>()
  const client = localClient(engine.endpoint)
  client.middlewareStack.add((next, { commandName = '' }) => args => {
    used.add(`dynamodb:${commandName.replace('Command', '')} on ${TABLE}`)
    return next(args)
  })
  await indexChain({ ...target, contracts: [second], createClient: async () => client })

  const allowed = allowedTo('IndexChainRole')
  expect([...used].filter(each => !allowed.includes(each))).toEqual([])
})

test('there is no other role, and no role has a policy from elsewhere', () => {
  const roles = resourcesOf(packaged.template, 'AWS::IAM::Role')

  expect(Object.keys(roles).sort()).toEqual(
    [...ALLOWED.map(([lambda]) => `${lambda}Role`), 'TrafficShiftRole'].sort(),
  )
  const actions = ['GetAlias', 'UpdateAlias', 'GetProvisionedConcurrencyConfig']
  const onAliases = ['UserEvents', 'TokenEvents', 'Changes']
    .flatMap(name => [`${name}LambdaFunction.Arn`, `\${${name}LambdaFunction.Arn}:*`])
    .flatMap(resource => actions.map(action => `lambda:${action} on ${resource}`))
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/getting-started-create-service-role.html
  expect(allowedTo('TrafficShiftRole').sort()).toEqual(
    ['cloudwatch:DescribeAlarms on *', ...onAliases].sort(),
  )
  for (const [name, { Properties }] of Object.entries(roles)) {
    expect(Properties).not.toHaveProperty('ManagedPolicyArns')
    expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain(
      name === 'TrafficShiftRole' ? 'codedeploy.amazonaws.com' : 'lambda.amazonaws.com',
    )
  }
})

test.each<Endpoint>(['user-events', 'token-events'])(
  'the function of %s uses all that its role lets it read, and nothing else',
  async endpoint => {
    const records = eventSetOf({ blocks: 4, events: 2, crowd: 40, kinds: FIRST_KINDS }, 3)
    const tableName = await engine.createEventsTable(records)
    const used = new Set<string>()
    engine.client.middlewareStack.add(
      (next, { commandName }) =>
        args => {
          const { IndexName } = args.input as { IndexName?: string }
          used.add(`${commandName?.replace('Command', '')} ${IndexName ?? 'table'}`)
          return next(args)
        },
      { name: 'watch', override: true },
    )
    const table = { client: engine.client, tableName }
    const handler = queryFunction(endpoint, {
      store: createDynamoEventStore(table),
      freshness: createFreshness(createCheckpointReader(table)),
    })
    for (const request of [...shapesOf(records).map(([, shape]) => shape), ...ofUsers(records)]) {
      if (request.endpoint === endpoint) await handler(directPayload(request), lambdaContext())
    }
    engine.client.middlewareStack.remove('watch')

    const role = endpoint === 'user-events' ? 'UserEventsRole' : 'TokenEventsRole'
    const mayQuery = allowedTo(role).flatMap(allowed => {
      const [, index] = /\/index\/(\w+)$/.exec(allowed) ?? []
      return allowed.startsWith('dynamodb:Query') ? [`Query ${index ?? 'table'}`] : []
    })
    expect([...used].filter(each => each.startsWith('Query')).sort()).toEqual(mayQuery.sort())
    expect([...used].filter(each => !/^(Query|BatchGetItem|GetItem) /.test(each))).toEqual([])
  },
)

/** For each event, queries one user's events in its transaction and, if the number is allowed, in its block. */
const ofUsers = (records: EventRecord[]) =>
  records.flatMap(record => {
    const [user] = usersOf(record)
    if (user === undefined) return []
    const ofBlock = userEvents(user, `blockNumber=${record.blockNumber}`)
    const ofTransaction = userEvents(user, `transactionHash=${record.transactionHash}`)
    return record.blockNumber > 100_000_000 ? [ofTransaction] : [ofTransaction, ofBlock]
  })

function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'Effect' in value ? [value as Statement] : []
  return [...own, ...Object.values(value).flatMap(statementsIn)]
}
