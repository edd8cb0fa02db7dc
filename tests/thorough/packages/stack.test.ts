import { EXPIRES } from '../../../lib/store/format/revision-item.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf, type Template } from '../../support/programs/use-packaged-service.ts'

const dev = useVariant('dev')
const prod = useVariant('prod')
const full = useVariant('full')
const lean = useVariant('lean')
const own = useVariant('own')
const adopted = useVariant('adopted')

function properties({ Resources }: Template, name: string): Record<string, unknown> {
  const { [name]: resource } = Resources
  if (!resource) throw new Error(`The template has no ${name}`)
  return resource.Properties
}

const onlyIn = (one: Template, other: Template) =>
  Object.keys(one.Resources)
    .filter(name => !(name in other.Resources))
    // The name of a version depends on the version's content.
    .filter(name => !/LambdaVersion/.test(name))
    .sort()

describe('the HTTP API', () => {
  const routes = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const { RouteKey, Target } = Properties as {
        RouteKey: string
        Target: { 'Fn::Join': [string, [string, { Ref: string }]] }
      }
      return [RouteKey, Target['Fn::Join'][1][1].Ref.replace('HttpApiIntegration', '')] as const
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

  test('leads both endpoints, the pages, the status and everything else to their functions', () => {
    const named = Object.entries(PATHS).flatMap(([name, paths]) =>
      paths.flatMap(path => ['GET', 'HEAD'].map(method => [`${method} ${path}`, name])),
    )

    expect(routes(dev.template).sort()).toEqual([...named, ['$default', 'Fallback']].sort())
  })

  const authorizations = (template: Template) =>
    Object.fromEntries(
      Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
        Properties.RouteKey,
        Properties.AuthorizationType ?? 'NONE',
      ]),
    )

  test.each([
    ['everybody', () => prod, 'NONE'],
    ['who signs requests', () => full, 'AWS_IAM'],
    ['who sends a token', () => own, 'JWT'],
  ] as const)(
    'answers queries of %s, and leaves the documentation and preflights open',
    (_, packaged, type) => {
      const { template } = packaged()

      expect(authorizations(template)).toEqual(
        Object.fromEntries(
          routes(template).map(([key, name]) => [key, CLOSED.includes(name) ? type : 'NONE']),
        ),
      )
      // The gateway itself answers OPTIONS if a route has no method OPTIONS.
      expect(properties(template, 'HttpApi').CorsConfiguration).toMatchObject({
        AllowHeaders: expect.arrayContaining(['Authorization']),
      })
      expect(routes(template).filter(([key]) => key?.startsWith('OPTIONS'))).toEqual([])
    },
  )

  test('takes tokens of the issuer, for the audiences', () => {
    expect(properties(own.template, 'HttpApiAuthorizerCallers')).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: 'https://issuer.example.org', Audience: ['explorer', 'wallet'] },
    })
    expect(resourcesOf(full.template, 'AWS::ApiGatewayV2::Authorizer')).toEqual({})
  })

  test('answers over IPv6, and at its own domain only where that is said', () => {
    expect(properties(prod.template, 'HttpApi')).toMatchObject({
      IpAddressType: 'dualstack',
      DisableExecuteApiEndpoint: false,
    })
    expect(properties(full.template, 'HttpApi')).toMatchObject({ DisableExecuteApiEndpoint: true })
    expect(properties(full.template, 'CustomDomainAddressOverIpv6')).toMatchObject({ Type: 'AAAA' })
  })

  test('calls the functions with payload 2.0', () => {
    for (const integration of Object.values(resourcesOf(dev.template, 'AWS::ApiGatewayV2::Integration'))) {
      expect(integration.Properties).toMatchObject({ PayloadFormatVersion: '2.0' })
    }
  })

  test.each([
    ['dev', () => dev, [100, 200]],
    ['prod', () => prod, [1000, 2000]],
  ] as const)('is throttled in %s', (_, packaged, [rate, burst]) => {
    expect(properties(packaged().template, 'HttpApiStage').DefaultRouteSettings).toMatchObject({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    })
  })

  test('logs every request as JSON, without saying who asks about whom', () => {
    const { Format } = properties(dev.template, 'HttpApiStage').AccessLogSettings as { Format: string }
    const fields = Object.values(JSON.parse(Format) as Record<string, string>)

    expect(fields).toContain('$context.requestId')
    expect(fields).toContain('$context.status')
    expect(fields).toContain('$context.routeKey')
    expect(Format).not.toMatch(/path|query|sourceIp|identity|header/i)
  })
})

describe('the functions', () => {
  test('are traced by Lambda unless that is switched off', () => {
    const modes = (template: Template) =>
      Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(
        ({ Properties }) => Properties.TracingConfig,
      )

    expect(new Set(modes(prod.template).map(mode => JSON.stringify(mode)))).toEqual(
      new Set(['{"Mode":"Active"}']),
    )
    expect(modes(lean.template).filter(Boolean)).toEqual([])
    expect(JSON.stringify(lean.template)).not.toContain('xray:')
  })

  test('run on Node.js 24 on arm64, each with a role of its own', () => {
    const functions = Object.entries(resourcesOf(dev.template, 'AWS::Lambda::Function'))

    expect(functions.length).toBeGreaterThan(5)
    for (const [name, { Properties }] of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Role: { 'Fn::GetAtt': [name.replace('LambdaFunction', 'Role'), 'Arn'] },
      })
    }
  })

  test('are not told twice of the same, should a schedule or an asynchronous call fail', () => {
    const configs = Object.values(resourcesOf(dev.template, 'AWS::Lambda::EventInvokeConfig'))

    expect(configs.length).toBeGreaterThan(2)
    for (const { Properties } of configs) expect(Properties.MaximumRetryAttempts).toBe(0)
  })
})

describe('the table', () => {
  test.each([
    ['dev', () => dev, 4_000],
    ['prod', () => prod, 20_000],
  ] as const)(
    'is to be read in %s, as each index is, no faster than its setting says',
    (_, packaged, units) => {
      const { OnDemandThroughput, GlobalSecondaryIndexes } = properties(packaged().template, 'EventsTable')
      const limits = [{ OnDemandThroughput }, ...(GlobalSecondaryIndexes as object[])]

      expect(limits).toHaveLength(5)
      for (const limit of limits) {
        expect(limit).toMatchObject({ OnDemandThroughput: { MaxReadRequestUnits: units } })
      }
    },
  )

  test('forgets nothing but what the log of revisions says may go, after as many days as are set', () => {
    expect(properties(prod.template, 'EventsTable').TimeToLiveSpecification).toEqual({
      AttributeName: EXPIRES,
      Enabled: true,
    })
    const daysOf = (template: Template) => {
      const { Variables } = properties(template, 'IndexChainLambdaFunction').Environment as {
        Variables: Record<string, string>
      }
      return Variables.CHANGES_KEPT_DAYS
    }
    expect([daysOf(prod.template), daysOf(full.template)].map(Number)).toEqual([30, 90])
  })

  test.each([
    ['dev', () => dev, 'Delete', false],
    ["somebody's own stage", () => own, 'Delete', false],
    ['staging', () => full, 'Retain', true],
    ['prod', () => prod, 'Retain', true],
  ] as const)(
    'can be restored, and is in %s as protected as it should be',
    (_, packaged, policy, isProtected) => {
      const { template } = packaged()

      expect(template.Resources.EventsTable).toMatchObject({
        DeletionPolicy: policy,
        UpdateReplacePolicy: policy,
        Properties: {
          DeletionProtectionEnabled: isProtected,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      })
    },
  )

  test("is encrypted with DynamoDB's own key, which costs nothing", () => {
    expect(properties(prod.template, 'EventsTable')).not.toHaveProperty('SSESpecification')
  })

  test('costs less where settings say so', () => {
    expect(properties(prod.template, 'EventsTable').TableClass).toBe('STANDARD')
    expect(properties(full.template, 'EventsTable').TableClass).toBe('STANDARD_INFREQUENT_ACCESS')
    expect(properties(lean.template, 'EventsTable').PointInTimeRecoverySpecification).toEqual({
      PointInTimeRecoveryEnabled: false,
    })
  })

  test('is made from files in S3 where there is a bucket', () => {
    expect(properties(own.template, 'EventsTable').ImportSourceSpecification).toEqual({
      S3BucketSource: { S3Bucket: 'import-files', S3KeyPrefix: 'events/' },
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
    })
    expect(properties(prod.template, 'EventsTable')).not.toHaveProperty('ImportSourceSpecification')
  })

  test('that is adopted is used as the own one is, and is no part of the stack', () => {
    const { template } = adopted
    const named = (from: Template) => {
      const parts = JSON.stringify(from).split(/[^\w.-]/)
      return parts.filter(each => /^blockchain-events-(prod|restored)$/.test(each)).sort()
    }

    expect(onlyIn(prod.template, template)).toEqual(['EventsTable'])
    expect(JSON.stringify(template)).not.toContain('EventsTable"}')
    expect(new Set(named(template))).toEqual(
      new Set(['blockchain-events-prod', 'blockchain-events-restored']),
    )
    for (const name of ['UserEvents', 'TokenEvents', 'Changes', 'IndexChain']) {
      const { Environment } = properties(template, `${name}LambdaFunction`)
      expect(Environment).toMatchObject({ Variables: { EVENTS_TABLE: 'blockchain-events-restored' } })
      expect(JSON.stringify(properties(template, `${name}Role`))).toContain(
        ':table/blockchain-events-restored',
      )
    }
  })
})

describe('new versions', () => {
  test('are what routes and schedules call', () => {
    const calls = (template: Template, type: string) =>
      Object.values(resourcesOf(template, type)).map(({ Properties }) => JSON.stringify(Properties))
    const toVersions = (template: Template) =>
      ['AWS::ApiGatewayV2::Integration', 'AWS::Events::Rule', 'AWS::Lambda::Permission']
        .flatMap(type => calls(template, type))
        .filter(text => /"(UserEvents|TokenEvents|Changes)LambdaFunction"/.test(text))

    expect(toVersions(prod.template).length).toBeGreaterThan(5)
    for (const text of toVersions(prod.template)) expect(text).toContain('"live"')
    for (const text of toVersions(dev.template)) expect(text).not.toContain('"live"')
  })

  test('take over at once in dev, which keeps none', () => {
    expect(resourcesOf(dev.template, 'AWS::Lambda::Version')).toEqual({})
    expect(resourcesOf(dev.template, 'AWS::CodeDeploy::Application')).toEqual({})
  })
})

describe('the schedules', () => {
  const rules = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::Events::Rule')).map(({ Properties }) => {
      const { ScheduleExpression, State, Targets } = Properties as {
        ScheduleExpression: string
        State: string
        Targets: { Arn: object; Input?: string }[]
      }
      const [{ Arn, Input } = { Arn: {} }] = Targets
      const [, name] = /"(\w+LambdaFunction)"/.exec(JSON.stringify(Arn)) ?? []
      return [name, ScheduleExpression, State, ...(Input ? [JSON.parse(Input)] : [])]
    })

  test('ask each query function for events that there are', () => {
    expect(rules(dev.template)).toEqual(
      expect.arrayContaining([
        [
          'UserEventsLambdaFunction',
          'rate(5 minutes)',
          'ENABLED',
          { address: `0x${'0'.repeat(40)}`, query: { limit: 1 }, smoke: true },
        ],
        ['TokenEventsLambdaFunction', 'rate(5 minutes)', 'ENABLED', { query: { limit: 1 }, smoke: true }],
        [
          'ChangesLambdaFunction',
          'rate(5 minutes)',
          'ENABLED',
          { query: { from: 'beginning', limit: 1 }, smoke: true },
        ],
      ]),
    )
  })

  test.each([
    ['IndexChain', 'rate(1 minute)'],
    ['AuditChain', 'rate(5 minutes)'],
    ['Publish', 'rate(1 minute)'],
  ])('invoke %s only where that is switched on', (name, rate) => {
    expect(rules(dev.template)).toContainEqual([`${name}LambdaFunction`, rate, 'DISABLED'])
    expect(rules(full.template)).toContainEqual([`${name}LambdaFunction`, rate, 'ENABLED'])
  })
})

describe('the logs', () => {
  test.each([
    ['dev', () => dev, 7],
    ['staging', () => full, 90],
    ['prod', () => prod, 365],
  ] as const)('are kept in %s for so many days, all of them', (_, packaged, days) => {
    const groups = Object.values(resourcesOf(packaged().template, 'AWS::Logs::LogGroup'))

    // One group for each function, and one for the gateway.
    const functions = Object.keys(resourcesOf(packaged().template, 'AWS::Lambda::Function'))
    expect(groups).toHaveLength(functions.length + 1)
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(days)
  })
})

test('everything is tagged with service and stage', () => {
  expect(prod.stackTags).toEqual({ service: 'blockchain-events', stage: 'prod' })
  for (const { Properties } of Object.values(resourcesOf(prod.template, 'AWS::Lambda::Function'))) {
    expect(Properties.Tags).toEqual([
      { Key: 'service', Value: 'blockchain-events' },
      { Key: 'stage', Value: 'prod' },
    ])
  }
})

test('a stack that retains its table is protected from being deleted, and no other', () => {
  expect([dev, own, lean].map(each => each.deletionProtection)).toEqual([undefined, undefined, undefined])
  expect([prod, full, adopted].map(each => each.deletionProtection)).toEqual([true, true, true])
})

const INDEX = ['IndexErrorsAlarm', 'IndexLagAlarm', 'TableWriteThrottlesAlarm']
const AUDIT = ['AuditDifferenceAlarm', 'AuditErrorsAlarm', 'AuditStoppedAlarm']
const PUBLISH = ['PublishErrorsAlarm', 'PublishLagAlarm', 'SubscriptionsEndedAlarm']
const SMOKE = ['ChangesSmokeAlarm', 'TokenEventsSmokeAlarm', 'UserEventsSmokeAlarm']
const SHIFTS = [
  ...'ChangesLiveAlias ChangesTrafficShift ChangesVersionAlarm CheckVersionLambdaEvConf'.split(' '),
  ...'CheckVersionLambdaFunction CheckVersionLogGroup CheckVersionRole TokenEventsLiveAlias'.split(' '),
  ...'TokenEventsTrafficShift TokenEventsVersionAlarm TrafficShift TrafficShiftRole'.split(' '),
  ...'UserEventsLiveAlias UserEventsTrafficShift UserEventsVersionAlarm VersionLatencyAlarm'.split(' '),
]

test.each([
  ['dev', () => dev, SMOKE],
  ['prod', () => prod, [...SHIFTS, ...SMOKE]],
  [
    'full',
    () => full,
    [
      'AlarmTopic',
      'CustomDomain',
      'CustomDomainAddress',
      'CustomDomainAddressOverIpv6',
      'CustomDomainMapping',
      'MonthlyBudget',
      ...AUDIT,
      ...INDEX,
      ...PUBLISH,
      ...SHIFTS,
      ...SMOKE,
    ],
  ],
] as const)('%s has the optional parts that are switched on, and no other', (_, packaged, parts) => {
  expect(onlyIn(packaged().template, lean.template)).toEqual([...parts].sort())
  expect(onlyIn(lean.template, packaged().template)).toEqual([])
})

test('nothing in a template depends on a condition', () => {
  for (const { template } of [dev, prod, full, lean, own, adopted]) {
    expect(template).not.toHaveProperty('Conditions')
    expect(JSON.stringify(template)).not.toMatch(/"Fn::If"|AWS::NoValue|"Condition":"/)
  }
})

test('concurrency is reserved for the query functions, as a number', () => {
  for (const name of ['UserEventsLambdaFunction', 'TokenEventsLambdaFunction', 'ChangesLambdaFunction']) {
    expect(properties(full.template, name).ReservedConcurrentExecutions).toBe(20)
    expect(properties(prod.template, name)).not.toHaveProperty('ReservedConcurrentExecutions')
  }
})

test('every role has the boundary that is set', () => {
  const boundaries = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::IAM::Role')).map(
      ({ Properties }) => Properties.PermissionsBoundary ?? 'none',
    )

  expect(new Set(boundaries(full.template))).toEqual(new Set(['arn:aws:iam::123456789012:policy/boundary']))
  expect(new Set(boundaries(prod.template))).toEqual(new Set(['none']))
})

test('a budget tells the topic and the address', () => {
  expect(properties(full.template, 'MonthlyBudget')).toMatchObject({
    Budget: { BudgetLimit: { Amount: 500, Unit: 'USD' }, Metrics: ['UnblendedCost'] },
    NotificationsWithSubscribers: [
      {
        Subscribers: [
          { SubscriptionType: 'EMAIL', Address: 'ops@example.org' },
          { SubscriptionType: 'SNS', Address: 'arn:aws:sns:us-east-1:123456789012:alarms' },
        ],
      },
      { Notification: { NotificationType: 'FORECASTED' } },
    ],
  })
})
