import { isDeepStrictEqual } from 'node:util'
import { readTableDefinition } from '../../infra/local/database/read-table-definition.ts'
import { CORS_HEADERS, preflightResponse } from '../../lib/http/cors.ts'
import { resourcesOf, type Template, usePackagedService } from '../support/programs/use-packaged-service.ts'

const dev = usePackagedService('dev')
const prod = usePackagedService('prod')
const full = usePackagedService('staging', {
  alarmEmail: 'ops@example.org',
  indexEnabled: 'true',
  reservedConcurrency: '20',
  customDomain: 'events.example.org',
  customDomainCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  customDomainHostedZoneId: 'Z123',
})

function properties({ Resources }: Template, name: string): Record<string, unknown> {
  const { [name]: resource } = Resources
  if (!resource) throw new Error(`The template has no ${name}`)
  return resource.Properties
}

/** Whether CloudFormation makes what carries the condition. */
function holds({ Conditions }: Template, name: string): boolean {
  return evaluate(Conditions[name])

  function evaluate(condition: unknown): boolean {
    const { Condition, ...functions } = condition as Record<string, unknown>
    if (typeof Condition === 'string') return evaluate(Conditions[Condition])
    const [[kind, operands] = []] = Object.entries(functions) as [string, unknown[]][]
    if (!operands) throw new Error(`${name} is no condition`)
    if (kind === 'Fn::Not') return !evaluate(operands[0])
    if (kind === 'Fn::And') return operands.every(evaluate)
    if (kind !== 'Fn::Equals') throw new Error(`${kind} is not known`)
    for (const operand of operands) expect(typeof operand).toBe('string')
    return operands[0] === operands[1]
  }
}

/** The names of what is made only on request, and is made. */
const optionalParts = (template: Template) =>
  Object.entries(template.Resources).flatMap(([name, { Condition }]) =>
    Condition && holds(template, Condition) ? [name] : [],
  )

describe('the HTTP API', () => {
  const routes = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const { RouteKey, Target } = Properties as {
        RouteKey: string
        Target: { 'Fn::Join': [string, [string, { Ref: string }]] }
      }
      return [RouteKey, Target['Fn::Join'][1][1].Ref.replace('HttpApiIntegration', '')]
    })

  test('leads both endpoints, the documentation and everything else to their functions', () => {
    expect(routes(dev.template).sort()).toEqual([
      ['$default', 'Fallback'],
      ['GET /docs', 'Docs'],
      ['GET /docs/{asset}', 'Docs'],
      ['GET /v1/openapi.json', 'Docs'],
      ['GET /v1/token-events', 'TokenEvents'],
      ['GET /v1/user-events/{address}', 'UserEvents'],
      ['HEAD /docs', 'Docs'],
      ['HEAD /docs/{asset}', 'Docs'],
      ['HEAD /v1/openapi.json', 'Docs'],
      ['HEAD /v1/token-events', 'TokenEvents'],
      ['HEAD /v1/user-events/{address}', 'UserEvents'],
    ])
  })

  test('calls the functions with payload 2.0', () => {
    for (const integration of Object.values(resourcesOf(dev.template, 'AWS::ApiGatewayV2::Integration'))) {
      expect(integration.Properties).toMatchObject({ PayloadFormatVersion: '2.0' })
    }
  })

  test('tells pages of other origins the same as the functions do', () => {
    const headers: Record<string, string> = { ...CORS_HEADERS, ...preflightResponse().headers }
    const list = (name: string) => headers[name]?.split(', ')

    expect(properties(dev.template, 'HttpApi').CorsConfiguration).toEqual({
      AllowOrigins: list('Access-Control-Allow-Origin'),
      AllowMethods: list('Access-Control-Allow-Methods'),
      AllowHeaders: list('Access-Control-Allow-Headers'),
      ExposeHeaders: list('Access-Control-Expose-Headers'),
      MaxAge: Number(headers['Access-Control-Max-Age']),
    })
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
  test('run on Node.js 24 on arm64, traced, each with a role of its own', () => {
    const functions = Object.entries(resourcesOf(dev.template, 'AWS::Lambda::Function'))

    expect(functions.map(([name]) => name.replace('LambdaFunction', '')).sort()).toEqual([
      'Docs',
      'Fallback',
      'IndexChain',
      'TokenEvents',
      'UserEvents',
    ])
    for (const [name, { Properties }] of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        Role: { 'Fn::GetAtt': [name.replace('LambdaFunction', 'Role'), 'Arn'] },
      })
    }
  })

  test('are not told twice of the same, should a schedule or an asynchronous call fail', () => {
    const configs = Object.values(resourcesOf(dev.template, 'AWS::Lambda::EventInvokeConfig'))

    expect(
      configs.map(({ Properties }) => [Properties.FunctionName, Properties.MaximumRetryAttempts]),
    ).toEqual(
      expect.arrayContaining([
        [{ Ref: 'UserEventsLambdaFunction' }, 0],
        [{ Ref: 'TokenEventsLambdaFunction' }, 0],
        [{ Ref: 'IndexChainLambdaFunction' }, 0],
      ]),
    )
  })
})

describe('the table', () => {
  test('is made of the definition that local tables are made of', () => {
    const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = properties(
      prod.template,
      'EventsTable',
    )

    expect({ BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }).toMatchObject(
      readTableDefinition(),
    )
    expect(BillingMode).toBe('PAY_PER_REQUEST')
  })

  test.each([
    ['dev', () => dev, 4_000],
    ['prod', () => prod, 20_000],
  ] as const)('is read in %s, as each index is, no faster than the bill is to grow', (_, packaged, units) => {
    const { OnDemandThroughput, GlobalSecondaryIndexes } = properties(packaged().template, 'EventsTable')
    const limits = [{ OnDemandThroughput }, ...(GlobalSecondaryIndexes as object[])]

    expect(limits).toHaveLength(5)
    for (const limit of limits) {
      expect(limit).toMatchObject({ OnDemandThroughput: { MaxReadRequestUnits: units } })
    }
  })

  test('has the keys and indexes of the posting lists, each with whole records', () => {
    const { KeySchema, GlobalSecondaryIndexes } = readTableDefinition()
    const keys = (schema: { AttributeName: string | undefined }[] = []) =>
      schema.map(key => key.AttributeName)

    expect(keys(KeySchema)).toEqual(['l', 'p'])
    expect(
      GlobalSecondaryIndexes.map(index => [
        index.IndexName,
        ...keys(index.KeySchema),
        index.Projection?.ProjectionType,
      ]),
    ).toEqual([
      ['byUser', 'u', 'p', 'ALL'],
      ['byToken', 't', 'p', 'ALL'],
      ['byTransaction', 'x', 'p', 'ALL'],
      ['byBlock', 'b', 'p', 'ALL'],
    ])
  })

  test.each([
    ['dev', () => dev, 'Delete', false],
    ['staging', () => full, 'Retain', true],
    ['prod', () => prod, 'Retain', true],
  ] as const)(
    'is encrypted, backed up, and in %s as protected as it should be',
    (_, packaged, policy, isProtected) => {
      const { template } = packaged()

      expect(template.Resources.EventsTable).toMatchObject({
        DeletionPolicy: policy,
        UpdateReplacePolicy: policy,
        Properties: {
          DeletionProtectionEnabled: isProtected,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { SSEEnabled: true },
        },
      })
      expect(properties(template, 'EventsTable')).not.toHaveProperty('TimeToLiveSpecification')
    },
  )
})

describe('the schedules', () => {
  const rules = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::Events::Rule')).map(({ Properties }) => {
      const { ScheduleExpression, State, Targets } = Properties as {
        ScheduleExpression: string
        State: string
        Targets: { Arn: { 'Fn::GetAtt': [string] }; Input?: string }[]
      }
      const [{ Arn, Input } = { Arn: { 'Fn::GetAtt': [''] } }] = Targets
      return [Arn['Fn::GetAtt'][0], ScheduleExpression, State, ...(Input ? [JSON.parse(Input)] : [])]
    })

  test('ask both functions a question that has an answer', () => {
    expect(rules(dev.template)).toEqual(
      expect.arrayContaining([
        [
          'UserEventsLambdaFunction',
          'rate(5 minutes)',
          'ENABLED',
          { address: `0x${'0'.repeat(40)}`, query: { limit: 1 }, smoke: true },
        ],
        ['TokenEventsLambdaFunction', 'rate(5 minutes)', 'ENABLED', { query: { limit: 1 }, smoke: true }],
      ]),
    )
  })

  test('index only where that is switched on', () => {
    expect(rules(dev.template)).toContainEqual(['IndexChainLambdaFunction', 'rate(1 minute)', 'DISABLED'])
    expect(rules(full.template)).toContainEqual(['IndexChainLambdaFunction', 'rate(1 minute)', 'ENABLED'])
  })
})

describe('the logs', () => {
  test.each([
    ['dev', () => dev, 7],
    ['staging', () => full, 90],
    ['prod', () => prod, 365],
  ] as const)('are kept in %s for so many days, all of them', (_, packaged, days) => {
    const groups = Object.values(resourcesOf(packaged().template, 'AWS::Logs::LogGroup'))

    expect(groups).toHaveLength(6)
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

test('optional parts are off unless they are switched on', () => {
  const smoke = ['TokenEventsSmokeAlarm', 'UserEventsSmokeAlarm']

  expect(optionalParts(dev.template).sort()).toEqual(smoke)
  expect(holds(dev.template, 'HasReservedConcurrency')).toBe(false)
  expect(optionalParts(full.template).sort()).toEqual([
    'AlarmTopic',
    'CustomDomain',
    'CustomDomainAddress',
    'CustomDomainMapping',
    'IndexErrorsAlarm',
    'IndexLagAlarm',
    ...smoke,
  ])
  expect(holds(full.template, 'HasReservedConcurrency')).toBe(true)
})

test('concurrency is reserved for the two query functions', () => {
  for (const name of ['UserEventsLambdaFunction', 'TokenEventsLambdaFunction']) {
    expect(properties(full.template, name).ReservedConcurrentExecutions).toEqual({
      'Fn::If': ['HasReservedConcurrency', '20', { Ref: 'AWS::NoValue' }],
    })
  }
})

test('stages have the same parts, and differ in nothing but parameters', () => {
  const shape = (template: Template) =>
    Object.entries(template.Resources)
      .map(([name, { Type, Condition }]) => ({ name, Type, Condition }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))

  expect(shape(prod.template)).toEqual(shape(dev.template))
  expect(isDeepStrictEqual(prod.template, dev.template)).toBe(false)
})
