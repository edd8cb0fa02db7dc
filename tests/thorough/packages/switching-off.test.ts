import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findManyIndexChanges, findSwitchedOff } from '../../../infra/deploy/find-switched-off.ts'
import type { Serverless } from '../../../infra/deploy/framework.ts'
import refuseSwitchingOff from '../../../infra/deploy/refuse-switching-off.ts'
import type { Template } from '../../../infra/deploy/template.ts'
import { FRAMEWORK, makeServiceFolder } from '../../support/programs/package-service.ts'
import { startRecordingAws } from '../../support/programs/recording-aws.ts'
import { startProcess } from '../../support/programs/run-command.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf, usePackagedService } from '../../support/programs/use-packaged-service.ts'

const dev = useVariant('dev')
const lean = useVariant('lean')
const prod = useVariant('prod')
/**
 * The stage prod, packaged a second time in another folder. The setting has its default value and changes nothing, but
 * it makes `usePackagedService` package again.
 */
const again = usePackagedService('prod', { logLevel: 'INFO' })
const full = useVariant('full')
const own = useVariant('own')
const adopted = useVariant('adopted')

const namesOf = (deployed: Template, next: Template) =>
  findSwitchedOff(deployed, next).map(({ name }) => name)

function withProperties(template: Template, name: string, properties: Record<string, unknown>): Template {
  const { Resources } = template
  const { [name]: resource } = Resources
  if (!resource) throw new Error(`There is no ${name}`)
  return {
    ...template,
    Resources: {
      ...Resources,
      [name]: { ...resource, Properties: { ...resource.Properties, ...properties } },
    },
  }
}

test('a deployment without options changes nothing in the template but where the packages are', () => {
  // Only times may differ, because code is named by its content, and only changed functions get new versions.
  const plain = ({ template }: { template: Template }) =>
    JSON.parse(JSON.stringify(template).replaceAll(/\d{13}-[\dT:.-]+Z/g, 'TIME'))

  expect(plain(again)).toEqual(plain(prod))
  expect(
    Object.keys(again.template.Resources).filter(name => /LambdaVersion(?!Check)/.test(name)),
  ).toHaveLength(3)
})

test('the same settings switch nothing off, and more settings do not either', () => {
  expect(findSwitchedOff(prod.template, prod.template)).toEqual([])
  expect(findSwitchedOff(full.template, full.template)).toEqual([])
  expect(findSwitchedOff(lean.template, dev.template)).toEqual([])
})

test('a deployment that has forgotten the indexer and its table would remove alarms and stop the schedule', () => {
  const withIndexer = {
    ...adopted.template,
    Resources: { ...prod.template.Resources, ...adopted.template.Resources },
  }

  expect(namesOf(withIndexer, prod.template).sort()).toEqual([
    'EVENTS_TABLE',
    'IndexChainEventsRuleSchedule1.State',
    'IndexErrorsAlarm',
    'IndexLagAlarm',
    'TableWriteThrottlesAlarm',
  ])
})

test('a table that stays is told apart from one that would be deleted', () => {
  const { EventsTable: _, ...others } = dev.template.Resources

  expect(findSwitchedOff(prod.template, adopted.template)).toEqual([
    {
      name: 'EVENTS_TABLE',
      becomes:
        'the functions would use the table blockchain-events-restored instead of blockchain-events-prod',
    },
    {
      name: 'EventsTable',
      becomes: 'the DynamoDB Table would no longer belong to the stack, but would continue to exist',
    },
  ])
  expect(findSwitchedOff(dev.template, { Resources: others })).toEqual([
    { name: 'EventsTable', becomes: 'the DynamoDB Table would be removed' },
  ])
})

test.each([
  ['HttpApiRouteGetV1TokenDashevents', { AuthorizationType: 'NONE' }, 'AuthorizationType'],
  ['HttpApi', { DisableExecuteApiEndpoint: false }, 'DisableExecuteApiEndpoint'],
  ['UserEventsRole', { PermissionsBoundary: undefined }, 'PermissionsBoundary'],
  ['TokenEventsLambdaFunction', { ReservedConcurrentExecutions: undefined }, 'ReservedConcurrentExecutions'],
  ['EventsTable', { DeletionProtectionEnabled: false }, 'DeletionProtectionEnabled'],
  ['EventsTable', { PointInTimeRecoverySpecification: {} }, 'PointInTimeRecoverySpecification'],
  ['UserEventsTrafficShift', { AlarmConfiguration: { Enabled: false } }, 'AlarmConfiguration'],
])('%s with %j is less than before', (name, properties, property) => {
  expect(namesOf(full.template, withProperties(full.template, name, properties))).toEqual([
    `${name}.${property}`,
  ])
})

const TOKENS = { Issuer: 'https://issuer.example.org', Audience: ['explorer', 'wallet'] }
const others = (name: string, value: string) => ({ Environment: { Variables: { [name]: value } } })

test.each([
  [
    'own',
    'HttpApiAuthorizerCallers',
    { JwtConfiguration: { ...TOKENS, Issuer: 'https://other.example' } },
    'HttpApiAuthorizerCallers.Issuer: tokens from https://other.example would be accepted, and tokens from https://issuer.example.org would be refused',
  ],
  [
    'own',
    'HttpApiAuthorizerCallers',
    { JwtConfiguration: { ...TOKENS, Audience: ['wallet', 'bot'] } },
    'HttpApiAuthorizerCallers.Audience: tokens for explorer would be refused',
  ],
  [
    'own',
    'HttpApiRouteGetV1TokenDashevents',
    { AuthorizationType: 'AWS_IAM' },
    'HttpApiRouteGetV1TokenDashevents.AuthorizationType: the route would require AWS_IAM authorization, which its callers do not send',
  ],
  [
    'full',
    'CustomDomain',
    { DomainName: 'other.example.org' },
    'CustomDomain.DomainName: other.example.org would lead to the API, and events.example.org would no longer lead to it',
  ],
  [
    'full',
    'CustomDomainAddress',
    { HostedZoneId: 'Z999' },
    'CustomDomainAddress.HostedZoneId: the DNS record would move from the zone Z123 to Z999',
  ],
  [
    'full',
    'ChangesRole',
    { PermissionsBoundary: 'arn:other' },
    'ChangesRole.PermissionsBoundary: the permissions boundary of the role would be arn:other instead of arn:aws:iam::123456789012:policy/boundary',
  ],
  [
    'full',
    'AlarmTopic',
    { Subscription: [{ Protocol: 'email', Endpoint: 'a@example.org' }] },
    'AlarmTopic.Subscription: ops@example.org would not receive alarms',
  ],
  [
    'full',
    'DocsLogGroup',
    { RetentionInDays: 30 },
    'RetentionInDays: logs would be kept for 30 days instead of 90',
  ],
  [
    'full',
    'StatusLambdaFunction',
    others('EVENTS_NETWORKS', 'base'),
    'EVENTS_NETWORKS: the functions would refuse a table for the networks all, and require a table for base',
  ],
  [
    'full',
    'IndexChainLambdaFunction',
    others('CHANGES_KEPT_DAYS', '30'),
    'CHANGES_KEPT_DAYS: readers of the feed of changes could pause for 30 days instead of 90',
  ],
  [
    'full',
    'PublishLambdaFunction',
    others('PUBLISH_CONFIG_PARAMETER', '/other'),
    'PUBLISH_CONFIG_PARAMETER: the publisher would read the parameter /other instead of /blockchain-events/staging/publish',
  ],
] as const)('%s with another %s, %j, is told so', (variant, name, properties, expected) => {
  const { template } = { full, own }[variant]
  const lost = findSwitchedOff(template, withProperties(template, name, properties))

  expect(lost.map(each => `${each.name}: ${each.becomes}`)).toContain(expected)
})

test.each([
  ['logs that are kept for longer', 'DocsLogGroup', { RetentionInDays: 365 }],
  [
    'one more audience',
    'HttpApiAuthorizerCallers',
    { JwtConfiguration: { ...TOKENS, Audience: ['explorer', 'wallet', 'bot'] } },
  ],
  ['one more alarm topic', 'LatencyAlarm', { AlarmActions: ['arn:aws:sns:us-east-1:123456789012:alarms'] }],
])('%s take nothing away', (_, name, properties) => {
  expect(findSwitchedOff(own.template, withProperties(own.template, name, properties))).toEqual([])
})

test.each([
  [
    'logs that every function would lose are named once',
    'prod',
    'AWS::Logs::LogGroup',
    { RetentionInDays: 90 },
    { name: 'RetentionInDays', becomes: 'logs would be kept for 90 days instead of 365' },
  ],
  [
    'a topic that would not receive alarms any more is named once',
    'full',
    'AWS::CloudWatch::Alarm',
    { AlarmActions: [{ Ref: 'AlarmTopic' }] },
    { name: 'AlarmActions', becomes: 'arn:aws:sns:us-east-1:123456789012:alarms would not receive alarms' },
  ],
] as const)('%s', (_, variant, type, properties, lost) => {
  const { template } = { prod, full }[variant]
  const names = Object.keys(resourcesOf(template, type))
  const next = names.reduce<Template>((changed, name) => withProperties(changed, name, properties), template)

  expect(findSwitchedOff(template, next)).toEqual([lost])
})

test.each([
  [{ TableName: 'another' }],
  [{ KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }] }],
  [{ ImportSourceSpecification: { InputFormat: 'DYNAMODB_JSON' } }],
])('a table with %j would be a new one', properties => {
  expect(findSwitchedOff(prod.template, withProperties(prod.template, 'EventsTable', properties))).toEqual([
    { name: 'EventsTable', becomes: 'the table would be replaced by a new, empty table' },
  ])
})

describe('indexes', () => {
  const withIndexes = (...names: string[]) =>
    withProperties(prod.template, 'EventsTable', {
      GlobalSecondaryIndexes: names.map(IndexName => ({ IndexName })),
    })

  test('are not removed, neither by a deployment nor by a rollback', () => {
    expect(namesOf(withIndexes('byUser', 'byToken'), withIndexes('byUser'))).toEqual(['EventsTable.byToken'])
    expect(namesOf(withIndexes('byUser'), withIndexes('byUser', 'byToken'))).toEqual([])
  })

  test('are changed one at a time', () => {
    expect(findManyIndexChanges(withIndexes('a'), withIndexes('a', 'b'))).toBeUndefined()
    expect(findManyIndexChanges(withIndexes('a'), withIndexes('a', 'b', 'c'))).toMatch(
      /only one index per update, but this update would change b, c/,
    )
    expect(findManyIndexChanges(withIndexes('a'), withIndexes('b'))).toMatch(/would change a, b/)
  })
})

/** Prod's stack has a topic that its settings no longer have. */
const withTopic = (): Template => ({
  Resources: { ...prod.template.Resources, AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: {} } },
})

/**
 * The answers by call: a stack's template, a response of DynamoDB, or an object in S3. A call without an answer fails
 * as if nothing existed.
 */
type Answers = Record<string, object | undefined>

const MISSING: Record<string, string> = { GetTemplate: 'ValidationError', GetObject: 'NoSuchKey' }

const startAws = (answers: Answers) =>
  startRecordingAws(({ name }) => {
    const { [name]: answer } = answers
    if (!answer) return { error: MISSING[name] ?? 'ResourceNotFoundException', message: 'It does not exist' }
    return name === 'GetTemplate' ? { TemplateBody: JSON.stringify(answer) } : answer
  })

test('npm run deploy changes nothing where something would be switched off that nobody has named', async () => {
  const aws = await startAws({ GetTemplate: withTopic() })
  const service = await makeServiceFolder()
  const settings = path.join(service.folder, 'settings')
  await mkdir(settings)
  await writeFile(path.join(settings, 'prod.yml'), 'unwatched: true')
  const env = {
    HOME: service.folder,
    EVENTS_SETTINGS_FOLDER: settings,
    AWS_ENDPOINT_URL: aws.baseUrl,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }
  const args = [FRAMEWORK, 'deploy', '--stage', 'prod', '--package', prod.folder]
  const { ended, printed } = startProcess(process.execPath, args, { cwd: service.folder, env })
  expect(await ended).toBe(1)
  await service.stop()
  await aws.stop()

  expect(printed.all).toContain('This deployment would switch off parts of blockchain-events-prod:')
  expect(printed.all).toContain('AlarmTopic: the SNS Topic would be removed')
  expect(printed.all).toContain(`If a setting is missing, write it into ${settings}/prod.yml.`)
  expect(printed.all).toContain('--param "switchOff=AlarmTopic"')
  expect(printed.all).not.toMatch(/^ +at /m)
  // The framework itself requests the name of the account.
  expect(aws.calls.map(({ name }) => name).filter(name => name !== 'GetCallerIdentity')).toEqual([
    'GetTemplate',
  ])
})

describe('an update of the stack', () => {
  interface Update {
    hook: 'before:aws:deploy:deploy:createStack' | 'before:rollback:rollback'
    next?: Template
    settings?: Record<string, unknown>
    options?: { param?: string[]; timestamp?: string }
  }

  const DEPLOYMENT: Update = { hook: 'before:aws:deploy:deploy:createStack' }
  const ROLLBACK: Update = { hook: 'before:rollback:rollback', options: { timestamp: '1755080415000' } }

  async function check(
    answers: Answers,
    { hook, next = prod.template, settings = {}, options = {} }: Update,
  ) {
    const aws = await startAws(answers)
    const { hooks } = refuseSwitchingOff(
      {
        configurationInput: { params: { default: { tableName: 'blockchain-events-prod', ...settings } } },
        service: {
          service: 'blockchain-events',
          provider: {
            compiledCloudFormationTemplate: next,
            stackTags: { service: 'blockchain-events', stage: 'prod' },
          },
        },
        getProvider: () => ({
          getStage: () => 'prod',
          getAwsSdkV3Config: async () => ({ ...aws.config, forcePathStyle: true }),
          getServerlessDeploymentBucketName: async () => 'bucket',
          getDeploymentPrefix: () => 'serverless',
          naming: {
            getStackName: () => 'blockchain-events-prod',
            getCompiledTemplateS3Suffix: () => 'template.json',
          },
        }),
        classes: { Error },
      } as unknown as Serverless,
      options,
    )
    const refusal = await hooks[hook]().then(
      () => 'none',
      error => (error as Error).message,
    )
    await aws.stop()
    return { refusal, calls: aws.calls.map(({ name }) => name) }
  }

  test('goes on where all that it switches off is named', async () => {
    const options = { param: ['switchOff=Other,AlarmTopic'] }
    expect((await check({ GetTemplate: withTopic() }, { ...DEPLOYMENT, options })).refusal).toBe('none')
    expect((await check({ GetTemplate: withTopic() }, DEPLOYMENT)).refusal).toContain('AlarmTopic')
  })

  test('that makes the first stack of a stage goes on', async () => {
    expect(await check({}, DEPLOYMENT)).toEqual({ refusal: 'none', calls: ['GetTemplate', 'DescribeTable'] })
  })

  test.each([
    ['there is no stack yet', () => undefined],
    ['the first deployment has failed', () => ({ Resources: {} })],
  ])('says how to go on with a table that is in the way, where %s', async (_, deployed) => {
    const answers = {
      GetTemplate: deployed(),
      DescribeTable: {
        Table: { TableName: 'blockchain-events-prod', TableArn: 'arn:aws:dynamodb:eu-west-2:1:table/t' },
      },
    }
    const { refusal } = await check(answers, DEPLOYMENT)

    expect(refusal).toContain('A table blockchain-events-prod already exists')
    expect(refusal).toContain('write "tableAdopted: true" into the settings')
    expect(refusal).toContain('delete the existing one: aws dynamodb update-table --region eu-west-2')
  })

  test('adopts a table that is there, and as it should be', async () => {
    const settings = { tableName: 'restored', tableAdopted: true }
    const next = adopted.template
    const options = { param: ['switchOff=EventsTable,EVENTS_TABLE,TABLE_RIGHTS'] }
    const adoption = { ...DEPLOYMENT, settings, next, options }
    const deployed = { GetTemplate: prod.template }
    const described = { DescribeContinuousBackups: {}, DescribeTimeToLive: {}, ListTagsOfResource: {} }
    const table = { Table: { KeySchema: [] } }
    const missing = await check(deployed, adoption)
    const other = await check({ ...deployed, ...described, DescribeTable: table }, adoption)

    expect(missing.refusal).toMatch(/^There is no table restored to adopt/)
    expect(other.refusal).toMatch(
      /^The table restored cannot be adopted in its current state:\n {2}The keys and indexes of restored/,
    )
  })

  test('does not offer to delete the table that the stack uses, where only its setting is missing', async () => {
    const { EventsTable: _, ...Resources } = prod.template.Resources
    const answers = {
      GetTemplate: { Resources },
      DescribeTable: { Table: { TableName: 'blockchain-events-prod' } },
    }
    const { refusal } = await check(answers, DEPLOYMENT)

    expect(refusal).toBe(
      'The stack uses the table blockchain-events-prod, which it did not create: write "tableAdopted: true" into the settings of the stage.',
    )
  })

  test('back to an earlier version does not remove an index, nor an alarm', async () => {
    const { GlobalSecondaryIndexes = [] } = { ...prod.template.Resources.EventsTable?.Properties }
    const withIndex = withProperties(prod.template, 'EventsTable', {
      GlobalSecondaryIndexes: [...(GlobalSecondaryIndexes as object[]), { IndexName: 'byNew' }],
    })
    const answers = { GetTemplate: withIndex, GetObject: prod.template }
    const { refusal } = await check(answers, ROLLBACK)

    expect(refusal).toContain('EventsTable.byNew: the index, which queries need, would be removed')
    expect((await check({ ...answers, GetTemplate: prod.template }, ROLLBACK)).refusal).toBe('none')
  })

  test('back to a version that there is not is left to the framework', async () => {
    expect((await check({ GetTemplate: prod.template }, ROLLBACK)).refusal).toBe('none')
    expect((await check({}, { ...ROLLBACK, options: {} })).calls).toEqual([])
  })
})
