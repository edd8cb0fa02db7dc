import type { TemplateResource } from '../../infra/deploy/template.ts'
import { usersOf } from '../../lib/events/lists.ts'
import { NETWORKS } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { createFreshness } from '../../lib/http/freshness.ts'
import { itemsOf } from '../../lib/store/format/item.ts'
import {
  blockTimesList,
  CHECKPOINTS_LIST,
  LIST_KEY,
  REVISIONS_LIST,
  SUBSCRIPTIONS_LIST,
} from '../../lib/store/format/keys.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../lib/store/reading/read-checkpoints.ts'
import { writeEvents } from '../../lib/store/writing/write-events.ts'
import { directPayload } from '../support/http/ask.ts'
import { lambdaContext } from '../support/http/http-events.ts'
import { queryFunction } from '../support/http/query-functions.ts'
import { fillIn, isAllowed, type Statement as Policy } from '../support/programs/evaluate-policy.ts'
import { useVariant } from '../support/programs/stage-variants.ts'
import { resourcesOf } from '../support/programs/use-packaged-service.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { type Endpoint, userEvents } from '../support/requests/api-request.ts'
import { shapesOf } from '../support/requests/plan-shapes.ts'
import { useEngine } from '../support/store/engine.ts'

const packaged = useVariant('prod')
const full = useVariant('full')
const engine = useEngine()

interface Statement {
  Effect: 'Allow' | 'Deny'
  Action: string | string[]
  Resource: unknown
}

/** The permissions of a role as `action on resource`. Resources are named as in the template. */
function allowedTo(role: string): string[] {
  const { Properties } = packaged.template.Resources[role] ?? {}
  const { Policies = [] } = (Properties ?? {}) as {
    Policies?: { PolicyDocument: { Statement: Statement[] } }[]
  }
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap(action => [Resource].flat().map(resource => `${action} on ${nameOf(resource)}`)),
  )
}

function nameOf(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return String(resource)
  const { 'Fn::GetAtt': attribute, 'Fn::Sub': text } = resource as {
    'Fn::GetAtt'?: string[]
    'Fn::Sub'?: string
  }
  return text ?? attribute?.join('.') ?? JSON.stringify(resource)
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in.
const TABLE = 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/blockchain-events-prod'
const TRACE = ['xray:PutTraceSegments on *', 'xray:PutTelemetryRecords on *']
const logTo = (group: string) =>
  ['CreateLogStream', 'PutLogEvents'].map(action => `logs:${action} on ${group}.Arn`)
const readFrom = (...indexes: string[]) => [
  `dynamodb:Query on ${TABLE}`,
  ...indexes.map(index => `dynamodb:Query on ${TABLE}/index/${index}`),
  `dynamodb:BatchGetItem on ${TABLE}`,
  `dynamodb:GetItem on ${TABLE}`,
]

const ALLOWED: [role: string, allowed: string[]][] = [
  ['UserEventsRole', [...readFrom('byUser', 'byTransaction', 'byBlock'), ...logTo('UserEventsLogGroup')]],
  [
    'TokenEventsRole',
    [...readFrom('byUser', 'byToken', 'byTransaction', 'byBlock'), ...logTo('TokenEventsLogGroup')],
  ],
  ['ChangesRole', [...readFrom(), ...logTo('ChangesLogGroup')]],
  ['StatusRole', [`dynamodb:Query on ${TABLE}`, ...logTo('StatusLogGroup')]],
  ['DocsRole', logTo('DocsLogGroup')],
  ['FallbackRole', logTo('FallbackLogGroup')],
  [
    'CheckVersionRole',
    [
      ...['UserEvents', 'TokenEvents', 'Changes'].map(
        name => `lambda:InvokeFunction on \${${name}LambdaFunction.Arn}:*`,
      ),
      ...logTo('CheckVersionLogGroup'),
    ],
  ],
  [
    'IndexChainRole',
    [
      ...['BatchWriteItem', 'DeleteItem', 'GetItem', 'Query', 'UpdateItem'].map(
        action => `dynamodb:${action} on ${TABLE}`,
      ),
      `ssm:GetParameter on arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/blockchain-events/prod/index`,
      ...logTo('IndexChainLogGroup'),
    ],
  ],
  [
    'AuditChainRole',
    [
      ...['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'].map(action => `dynamodb:${action} on ${TABLE}`),
      `ssm:GetParameter on arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/blockchain-events/prod/index`,
      ...logTo('AuditChainLogGroup'),
    ],
  ],
  [
    'PublishRole',
    [
      ...readFrom(),
      ...['DeleteItem', 'PutItem', 'UpdateItem'].map(action => `dynamodb:${action} on ${TABLE}`),
      `ssm:GetParameter on arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/blockchain-events/prod/publish`,
      ...logTo('PublishLogGroup'),
    ],
  ],
]

test.each(ALLOWED)('%s allows exactly what its function does', (role, allowed) => {
  expect(allowedTo(role).sort()).toEqual([...allowed, ...TRACE].sort())
})

test.each(['IndexChainRole', 'AuditChainRole'])(
  '%s allows the key of the configuration, where that has one of its own',
  role => {
    const statements = statementsIn(full.template.Resources[role]?.Properties)

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

test('the publisher writes what it keeps of subscriptions and nothing else, and sends to the configured bus', () => {
  const statements = statementsIn(full.template.Resources.PublishRole?.Properties)
  const writing = statements.filter(({ Action }) => String(Action).includes('PutItem'))

  expect(writing).toMatchObject([
    { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [SUBSCRIPTIONS_LIST] } } },
  ])
  expect(statements).toContainEqual({
    Sid: 'Bus',
    Effect: 'Allow',
    Action: 'events:PutEvents',
    Resource: 'arn:aws:events:us-east-1:123456789012:event-bus/orders',
  })
})

test('the function of the status reads the checkpoints and nothing else', () => {
  const { StatusRole } = packaged.template.Resources
  const reading = statementsIn(StatusRole?.Properties).filter(({ Action }) => Action === 'dynamodb:Query')

  expect(reading).toMatchObject([
    { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [CHECKPOINTS_LIST] } } },
  ])
})

/** Whether a role of the stage lets a function write items with these partition keys and attributes. */
function mayWrite(role: string, action: string, keys: string[], attributes: string[] = []): boolean {
  const { Properties } = {
    ...fillIn({ Resources: { [role]: packaged.template.Resources[role] as TemplateResource } }, {}).Resources[
      role
    ],
  }
  const { Policies } = { ...Properties } as { Policies: { PolicyDocument: { Statement: Policy[] } }[] }
  const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
  const resource = 'arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/blockchain-events-prod'
  const context = { 'dynamodb:LeadingKeys': keys, 'dynamodb:Attributes': attributes }
  return isAllowed(statements, { action: `dynamodb:${action}`, resource, context })
}

test('the audit changes its own attributes of a checkpoint and nothing else', () => {
  const own = [
    'l',
    'p',
    'fence',
    'renewals',
    'scope',
    'auditedBlock',
    'auditedHash',
    'auditedTimestamp',
    'differentBlock',
  ]

  expect(mayWrite('AuditChainRole', 'UpdateItem', [CHECKPOINTS_LIST], own)).toBe(true)
  for (const other of [
    'blockNumber',
    'blockHash',
    'finalizedBlock',
    'indexedSince',
    'owner',
    'leased',
    'networks',
  ])
    expect(mayWrite('AuditChainRole', 'UpdateItem', [CHECKPOINTS_LIST], ['l', 'p', other])).toBe(false)
  for (const list of [REVISIONS_LIST, SUBSCRIPTIONS_LIST, 'all@137'])
    expect(mayWrite('AuditChainRole', 'UpdateItem', [list], own)).toBe(false)
  for (const action of ['PutItem', 'DeleteItem', 'BatchWriteItem'])
    expect(mayWrite('AuditChainRole', action, [CHECKPOINTS_LIST], own)).toBe(false)
})

test('the indexer changes checkpoints, the log, events and block times, and no subscription', () => {
  const items = eventSetOf({ blocks: 4, events: 8, crowd: 40 }, 3).flatMap(record =>
    Object.values(itemsOf(record)).flat(),
  )
  const lists = new Set(items.map(({ [LIST_KEY]: list }) => String(list)))
  const written = [...lists, ...NETWORKS.map(blockTimesList), CHECKPOINTS_LIST, REVISIONS_LIST]

  expect(lists.size).toBeGreaterThan(20)
  for (const action of ['BatchWriteItem', 'DeleteItem', 'UpdateItem']) {
    expect(written.filter(list => !mayWrite('IndexChainRole', action, [list]))).toEqual([])
    expect(mayWrite('IndexChainRole', action, [SUBSCRIPTIONS_LIST])).toBe(false)
    expect(mayWrite('IndexChainRole', action, [...written, SUBSCRIPTIONS_LIST])).toBe(false)
  }
  expect(mayWrite('IndexChainRole', 'PutItem', ['all@137'])).toBe(false)
})

test('there is no other role, and no role has a policy from elsewhere', () => {
  const roles = resourcesOf(packaged.template, 'AWS::IAM::Role')

  expect(Object.keys(roles).sort()).toEqual([...ALLOWED.map(([role]) => role), 'TrafficShiftRole'].sort())
  for (const [name, { Properties }] of Object.entries(roles)) {
    expect(Properties).not.toHaveProperty('ManagedPolicyArns')
    expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain(
      name === 'TrafficShiftRole' ? 'codedeploy.amazonaws.com' : 'lambda.amazonaws.com',
    )
  }
})

test('nothing allows all actions or all resources, but where AWS leaves no choice', () => {
  const forced = [
    // X-Ray has no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
    'xray:PutTraceSegments on *',
    'xray:PutTelemetryRecords on *',
    // https://docs.aws.amazon.com/codedeploy/latest/userguide/getting-started-create-service-role.html
    'cloudwatch:DescribeAlarms on *',
    // The versions of the query functions.
    ...['GetAlias', 'UpdateAlias', 'GetProvisionedConcurrencyConfig', 'InvokeFunction'].flatMap(action =>
      ['UserEvents', 'TokenEvents', 'Changes'].map(
        name => `lambda:${action} on \${${name}LambdaFunction.Arn}:*`,
      ),
    ),
  ]
  const wide = Object.values(packaged.template.Resources).flatMap(({ Properties }) =>
    statementsIn(Properties).flatMap(({ Effect, Action, Resource }) =>
      [Action ?? []].flat().flatMap(action =>
        [Resource].flat().flatMap(resource => {
          const allowed = `${action} on ${nameOf(resource)}`
          return Effect === 'Allow' && allowed.includes('*') && !forced.includes(allowed) ? [allowed] : []
        }),
      ),
    ),
  )

  expect(wide).toEqual([])
})

test.each<Endpoint>(['user-events', 'token-events'])(
  'the function of %s uses all that its role lets it read, and nothing else',
  async endpoint => {
    const records = eventSetOf({ blocks: 4, events: 2, crowd: 40 }, 3)
    const tableName = await engine.createEventsTable()
    await writeEvents({ client: engine.client, tableName }, records)
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

/** For each event, queries for the event's block, its transaction and one of its users. */
const ofUsers = (records: EventRecord[]) =>
  records.flatMap(record => {
    const [user = ''] = usersOf(record)
    return [
      userEvents(user, [['transactionHash', record.transactionHash]]),
      ...(record.blockNumber > 100_000_000
        ? []
        : [userEvents(user, [['blockNumber', String(record.blockNumber)]])]),
    ]
  })

/** Every policy statement of the template. */
function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'Effect' in value ? [value as Statement] : []
  return [...own, ...Object.values(value).flatMap(statementsIn)]
}
