import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { EXPIRES } from '../../../lib/store/format/revision-item.ts'
import { useVariant, VARIANTS } from '../../support/programs/stage-variants.ts'
import { templateProblems } from '../../support/programs/template-problems.ts'
import {
  optionalParts,
  type PackagedService,
  resourcesOf,
  type Template,
} from '../../support/programs/use-packaged-service.ts'

type Name = keyof typeof VARIANTS
const NAMES = Object.keys(VARIANTS) as Name[]
const variants = Object.fromEntries(NAMES.map(name => [name, useVariant(name)])) as Record<
  Name,
  PackagedService
>

/** The alarms of the audit and the publisher, which have tests of their own. */
const OF_WINGS = /^(Audit|Publish|Subscriptions)/

function properties(variant: Name, name: string): Record<string, unknown> {
  const { [name]: resource } = variants[variant].template.Resources
  if (!resource) throw new Error(`The template of ${variant} has no ${name}`)
  return resource.Properties
}

const ofType = (variant: Name, type: string) =>
  Object.entries(resourcesOf(variants[variant].template, type)).map(
    ([name, { Properties }]) => [name, Properties] as const,
  )

const onlyIn = (one: Name, other: Name) =>
  Object.keys(variants[one].template.Resources)
    .filter(name => !(name in variants[other].template.Resources))
    // The name of a version depends on the version's content.
    .filter(name => !/LambdaVersion/.test(name) && !OF_WINGS.test(name))
    .sort()

const limits = (rate: number, burst: number) => ({
  DefaultRouteSettings: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
})
const TOPIC = { SubscriptionType: 'SNS', Address: 'arn:aws:sns:us-east-1:123456789012:alarms' }

test.each<[what: string, Name, resource: string, object]>([
  ['answers over IPv6', 'prod', 'HttpApi', { IpAddressType: 'dualstack', DisableExecuteApiEndpoint: false }],
  ['answers only at its own domain', 'full', 'HttpApi', { DisableExecuteApiEndpoint: true }],
  ['has its domain over IPv6', 'full', 'CustomDomainAddressOverIpv6', { Type: 'AAAA' }],
  ['takes few requests', 'dev', 'HttpApiStage', limits(100, 200)],
  ['takes more requests', 'prod', 'HttpApiStage', limits(1000, 2000)],
  [
    'takes tokens of the issuer, for the audiences',
    'own',
    'HttpApiAuthorizerCallers',
    {
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: 'https://issuer.example.org', Audience: ['explorer', 'wallet'] },
    },
  ],
  [
    'forgets expired revisions',
    'prod',
    'EventsTable',
    { TimeToLiveSpecification: { AttributeName: EXPIRES } },
  ],
  ['has the usual class of table', 'prod', 'EventsTable', { TableClass: 'STANDARD' }],
  ['has a cheaper class', 'full', 'EventsTable', { TableClass: 'STANDARD_INFREQUENT_ACCESS' }],
  [
    'has no recovery',
    'lean',
    'EventsTable',
    { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
  ],
  [
    'is made from files in S3',
    'own',
    'EventsTable',
    {
      ImportSourceSpecification: {
        S3BucketSource: { S3Bucket: 'import-files', S3KeyPrefix: 'events/' },
        InputFormat: 'DYNAMODB_JSON',
        InputCompressionType: 'GZIP',
      },
    },
  ],
  [
    'notifies its topic and its e-mail address of the budget',
    'full',
    'MonthlyBudget',
    {
      Budget: { BudgetLimit: { Amount: 500, Unit: 'USD' }, Metrics: ['UnblendedCost'] },
      NotificationsWithSubscribers: [
        { Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.org' }, TOPIC] },
        { Notification: { NotificationType: 'FORECASTED' } },
      ],
    },
  ],
])('a stage %s: %s, %s', (_, variant, resource, expected) => {
  expect(properties(variant, resource)).toMatchObject(expected)
})

const TAGS = [
  { Key: 'service', Value: 'blockchain-events' },
  { Key: 'stage', Value: 'prod' },
]

test.each<[type: string, Name, object]>([
  ['AWS::Lambda::Function', 'prod', { TracingConfig: { Mode: 'Active' }, Tags: TAGS }],
  // By default, calls that Lambda had to refuse wait for up to six hours, and then arrive all at once.
  ['AWS::Lambda::EventInvokeConfig', 'dev', { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }],
  ['AWS::IAM::Role', 'full', { PermissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary' }],
  ['AWS::Logs::LogGroup', 'dev', { RetentionInDays: 7 }],
  ['AWS::Logs::LogGroup', 'full', { RetentionInDays: 90 }],
  ['AWS::Logs::LogGroup', 'prod', { RetentionInDays: 365 }],
])('every %s of %s has %j', (type, variant, expected) => {
  const all = ofType(variant, type)

  expect(all.length).toBeGreaterThan(2)
  for (const [, each] of all) expect(each).toMatchObject(expected)
})

test('every function has a role and a log group of its own', () => {
  const functions = ofType('dev', 'AWS::Lambda::Function')

  for (const [name, { Role }] of functions)
    expect(Role).toEqual({ 'Fn::GetAtt': [name.replace('LambdaFunction', 'Role'), 'Arn'] })
  // The gateway has a log group, too.
  expect(ofType('dev', 'AWS::Logs::LogGroup')).toHaveLength(functions.length + 1)
})

test('the template has nothing that no setting asks for', () => {
  expect(JSON.stringify(variants.lean.template)).not.toMatch(/xray:|TracingConfig/)
  expect(JSON.stringify(variants.prod.template)).not.toContain('PermissionsBoundary')
  expect(JSON.stringify(variants.prod.template)).not.toMatch(
    /"Fn::If"|AWS::NoValue|"Conditions"|"Condition":"/,
  )
  expect(properties('prod', 'EventsTable')).not.toHaveProperty('ImportSourceSpecification')
  for (const name of ['UserEventsLambdaFunction', 'TokenEventsLambdaFunction', 'ChangesLambdaFunction']) {
    expect(properties('full', name).ReservedConcurrentExecutions).toBe(20)
    expect(properties('prod', name)).not.toHaveProperty('ReservedConcurrentExecutions')
  }
})

describe('the HTTP API', () => {
  const routes = (variant: Name) =>
    ofType(variant, 'AWS::ApiGatewayV2::Route').map(([, { RouteKey, Target, AuthorizationType }]) => {
      const [, [, { Ref }]] = (Target as { 'Fn::Join': [string, [string, { Ref: string }]] })['Fn::Join']
      const name = Ref.replace('HttpApiIntegration', '')
      return { key: String(RouteKey), name, access: AuthorizationType ?? 'NONE' }
    })

  /** Every path takes GET and HEAD. */
  const PATHS = {
    UserEvents: ['/v1/user-events/{address}'],
    TokenEvents: ['/v1/token-events'],
    Changes: ['/v1/changes'],
    Docs: ['/docs', '/docs/{asset}', '/llms.txt', '/v1/openapi.json'],
    Status: ['/', '/page/{asset}', '/v1/status'],
  }
  /** A closed API requires a signature or a token for these functions, because they return events. */
  const CLOSED = ['UserEvents', 'TokenEvents', 'Changes']

  test.each([
    ['everybody', 'prod', 'NONE'],
    ['callers who sign requests', 'full', 'AWS_IAM'],
    ['callers who send a token', 'own', 'JWT'],
  ] as const)('answers queries of %s, and leaves docs and preflights open', (_, variant, type) => {
    const named = Object.entries(PATHS).flatMap(([name, paths]) =>
      paths.flatMap(path =>
        ['GET', 'HEAD'].map(method => ({
          key: `${method} ${path}`,
          name,
          access: CLOSED.includes(name) ? type : 'NONE',
        })),
      ),
    )
    const all = [...named, { key: '$default', name: 'Fallback', access: 'NONE' }]

    // The gateway itself answers OPTIONS if a route has no method OPTIONS.
    expect(routes(variant)).toHaveLength(all.length)
    expect(routes(variant)).toEqual(expect.arrayContaining(all))
    expect(properties(variant, 'HttpApi').CorsConfiguration).toMatchObject({
      AllowHeaders: expect.arrayContaining(['Authorization']),
    })
    expect(ofType(variant, 'AWS::ApiGatewayV2::Authorizer')).toHaveLength(type === 'JWT' ? 1 : 0)
  })

  test('logs every request as JSON, without saying who asks about whom', () => {
    const { Format } = properties('dev', 'HttpApiStage').AccessLogSettings as { Format: string }

    expect(Object.values(JSON.parse(Format))).toEqual(
      expect.arrayContaining(['$context.requestId', '$context.status', '$context.routeKey']),
    )
    expect(Format).not.toMatch(/path|query|sourceIp|identity|header/i)
  })
})

describe('the table', () => {
  test.each([
    ['dev', 4_000],
    ['prod', 20_000],
  ] as const)('has in %s, as each index has, the read limit of its setting: %i units', (variant, units) => {
    const { OnDemandThroughput, GlobalSecondaryIndexes } = properties(variant, 'EventsTable')
    const limits = [{ OnDemandThroughput }, ...(GlobalSecondaryIndexes as object[])]

    expect(limits).toHaveLength(5)
    for (const limit of limits)
      expect(limit).toMatchObject({ OnDemandThroughput: { MaxReadRequestUnits: units } })
  })

  test.each([
    ['dev', 'Delete'],
    ['own', 'Delete'],
    ['full', 'Retain'],
    ['prod', 'Retain'],
  ] as const)('can be restored, and is protected in %s only if it is retained: %s', (variant, policy) => {
    const { template, deletionProtection } = variants[variant]

    expect(template.Resources.EventsTable).toMatchObject({
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        DeletionProtectionEnabled: policy === 'Retain',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    })
    expect(deletionProtection).toBe(policy === 'Retain' ? true : undefined)
  })

  test('that is adopted is used as the own one is, and is no part of the stack', () => {
    const { template, deletionProtection } = variants.adopted
    const text = JSON.stringify(template)

    expect(onlyIn('prod', 'adopted')).toEqual(['EventsTable'])
    expect(deletionProtection).toBe(true)
    expect(text).not.toContain('EventsTable"}')
    expect(new Set(text.match(/(?<![\w.-])blockchain-events-(prod|restored)(?![\w.-])/g))).toEqual(
      new Set(['blockchain-events-prod', 'blockchain-events-restored']),
    )
    for (const name of ['UserEvents', 'TokenEvents', 'Changes', 'IndexChain']) {
      expect(properties('adopted', `${name}LambdaFunction`).Environment).toMatchObject({
        Variables: { EVENTS_TABLE: 'blockchain-events-restored' },
      })
      expect(JSON.stringify(properties('adopted', `${name}Role`))).toContain(
        ':table/blockchain-events-restored',
      )
    }
  })
})

test('routes and schedules call the alias live, or in dev the functions themselves', () => {
  const toVersions = (variant: Name) =>
    ['AWS::ApiGatewayV2::Integration', 'AWS::Events::Rule', 'AWS::Lambda::Permission']
      .flatMap(type => ofType(variant, type).map(([, each]) => JSON.stringify(each)))
      .filter(text => /"(UserEvents|TokenEvents|Changes)LambdaFunction"/.test(text))

  expect(toVersions('prod').length).toBeGreaterThan(5)
  for (const text of toVersions('prod')) expect(text).toContain('"live"')
  for (const text of toVersions('dev')) expect(text).not.toContain('"live"')
  expect(ofType('dev', 'AWS::Lambda::Version')).toEqual([])
})

test('schedules call the query functions, and index only if that is switched on', () => {
  const rules = (variant: Name) => optionalParts(variants[variant].template, / rate/)

  expect(rules('dev')).toEqual(
    expect.arrayContaining([
      ...['Changes', 'TokenEvents', 'UserEvents'].map(name => `${name} rate(5 minutes) ENABLED`),
      'IndexChain rate(1 minute) DISABLED',
    ]),
  )
  expect(rules('full')).toContain('IndexChain rate(1 minute) ENABLED')
})

const INDEX = ['IndexErrorsAlarm', 'IndexLagAlarm', 'TableWriteThrottlesAlarm']
const SMOKE = ['ChangesSmokeAlarm', 'TokenEventsSmokeAlarm', 'UserEventsSmokeAlarm']
const SHIFTS = [
  ...'ChangesLiveAlias ChangesTrafficShift ChangesVersionAlarm CheckVersionLambdaEvConf'.split(' '),
  ...'CheckVersionLambdaFunction CheckVersionLogGroup CheckVersionRole TokenEventsLiveAlias'.split(' '),
  ...'TokenEventsTrafficShift TokenEventsVersionAlarm TrafficShift TrafficShiftRole'.split(' '),
  ...'UserEventsLiveAlias UserEventsTrafficShift UserEventsVersionAlarm VersionLatencyAlarm'.split(' '),
]
const DOMAIN = 'CustomDomain CustomDomainAddress CustomDomainAddressOverIpv6 CustomDomainMapping'.split(' ')

test.each([
  ['dev', SMOKE],
  ['prod', [...SHIFTS, ...SMOKE]],
  ['full', ['AlarmTopic', 'MonthlyBudget', ...DOMAIN, ...INDEX, ...SHIFTS, ...SMOKE]],
] as const)('%s has the optional parts that are switched on, and no other', (variant, parts) => {
  expect(onlyIn(variant, 'lean')).toEqual([...parts].sort())
  expect(onlyIn('lean', variant)).toEqual([])
})

test.each(NAMES)("the template of %s is what CloudFormation's resource schemas allow", async name => {
  const { template } = variants[name]

  expect(Object.keys(template.Resources).length).toBeGreaterThan(50)
  expect(await templateProblems(template)).toEqual([])
})

test.each(['pipeline/deployer.yml', 'cloudfront/cloudfront.yml'])('%s is, too', async file => {
  const text = await readFile(new URL(`../../../infra/${file}`, import.meta.url), 'utf8')
  expect(await templateProblems(parse(text) as Template)).toEqual([])
  // CloudFormation itself does not support aliases, unlike the framework:
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html
  expect(text).not.toMatch(/[:-] [&*]\w/)
})
