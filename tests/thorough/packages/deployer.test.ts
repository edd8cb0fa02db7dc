import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Access, fillIn, isAllowed, type Statement } from '../../support/programs/evaluate-policy.ts'
import { useVariant, VARIANTS } from '../../support/programs/stage-variants.ts'
import { resourcesOf, type Template } from '../../support/programs/use-packaged-service.ts'

const PIPELINE = new URL('../../../infra/pipeline/', import.meta.url)
const NAMES = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]
const variants = NAMES.map(name => useVariant(name))

/** Turns `sns: Subscribe Unsubscribe` into `sns:Subscribe` and `sns:Unsubscribe`. */
const actions = (texts: string | string[] = []) =>
  [texts].flat().flatMap(text => {
    const [service, names] = text.split(': ')
    return names?.split(' ').map(name => `${service}:${name}`) ?? []
  })

const TAGS = 'ListTagsForResource TagResource UntagResource'
const API = 'apigateway: GET POST PUT PATCH DELETE TagResource UntagResource'

/**
 * The calls with which CloudFormation creates, reads, changes and deletes each type. They are listed in the handlers of
 * the types' schemas: https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schemas.html
 */
const OF_TYPES: Record<string, string | string[]> = {
  'AWS::ApiGatewayV2::Api': API,
  'AWS::ApiGatewayV2::ApiMapping': API,
  'AWS::ApiGatewayV2::Authorizer': API,
  'AWS::ApiGatewayV2::DomainName': API,
  'AWS::ApiGatewayV2::Integration': API,
  'AWS::ApiGatewayV2::Route': API,
  'AWS::ApiGatewayV2::Stage': [
    API,
    // The access log needs these calls.
    'logs: CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies GetLogDelivery ListLogDeliveries PutResourcePolicy UpdateLogDelivery',
  ],
  'AWS::Budgets::Budget': `budgets: ModifyBudget ViewBudget ${TAGS}`,
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-custom-resources-lambda.html
  'AWS::CloudFormation::CustomResource': 'lambda: InvokeFunction',
  'AWS::CloudWatch::Alarm': `cloudwatch: DeleteAlarms DescribeAlarms PutMetricAlarm ${TAGS}`,
  'AWS::CloudWatch::Dashboard': `cloudwatch: DeleteDashboards GetDashboard PutDashboard ${TAGS}`,
  'AWS::CodeDeploy::Application': `codedeploy: CreateApplication DeleteApplication GetApplication UpdateApplication ${TAGS}`,
  'AWS::CodeDeploy::DeploymentGroup': [
    'codedeploy: CreateDeploymentGroup DeleteDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup',
    'iam: PassRole',
  ],
  'AWS::DynamoDB::Table': [
    'dynamodb: CreateTable DeleteTable DescribeContinuousBackups DescribeContributorInsights DescribeImport DescribeKinesisStreamingDestination DescribeTable DescribeTimeToLive GetResourcePolicy ImportTable ListTagsOfResource TagResource UntagResource UpdateContinuousBackups UpdateTable UpdateTimeToLive',
    // An import reads files and writes a log.
    's3: GetObject ListBucket',
    'logs: CreateLogGroup CreateLogStream DescribeLogStreams PutLogEvents PutRetentionPolicy',
  ],
  'AWS::Events::Rule': `events: DeleteRule DescribeRule ListTargetsByRule PutRule PutTargets RemoveTargets ${TAGS}`,
  'AWS::IAM::Role':
    'iam: CreateRole DeleteRole DeleteRolePolicy GetRole GetRolePolicy ListAttachedRolePolicies ListRolePolicies PutRolePermissionsBoundary PutRolePolicy TagRole UntagRole UpdateAssumeRolePolicy UpdateRole UpdateRoleDescription',
  'AWS::Lambda::Alias': [
    'lambda: CreateAlias DeleteAlias GetAlias GetProvisionedConcurrencyConfig UpdateAlias',
    // CodeDeploy shifts the alias's traffic.
    'codedeploy: CreateDeployment GetDeployment GetDeploymentConfig RegisterApplicationRevision StopDeployment',
  ],
  'AWS::Lambda::EventInvokeConfig':
    'lambda: DeleteFunctionEventInvokeConfig GetFunctionEventInvokeConfig PutFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig',
  'AWS::Lambda::Function': [
    'lambda: CreateFunction DeleteFunction DeleteFunctionConcurrency GetFunction GetFunctionCodeSigningConfig GetFunctionConfiguration GetFunctionRecursionConfig GetRuntimeManagementConfig ListTags PutFunctionConcurrency TagResource UntagResource UpdateFunctionCode UpdateFunctionConfiguration',
    'iam: PassRole',
  ],
  'AWS::Lambda::Permission': 'lambda: AddPermission GetPolicy RemovePermission',
  // When a release is undone, its version is deleted.
  'AWS::Lambda::Version':
    'lambda: DeleteFunction GetFunctionConfiguration GetProvisionedConcurrencyConfig ListVersionsByFunction PublishVersion',
  'AWS::Logs::LogGroup': `logs: CreateLogGroup DeleteLogGroup DeleteRetentionPolicy DescribeIndexPolicies DescribeLogGroups GetDataProtectionPolicy PutRetentionPolicy ${TAGS}`,
  'AWS::Logs::MetricFilter': 'logs: DeleteMetricFilter DescribeMetricFilters PutMetricFilter',
  'AWS::Route53::RecordSet':
    'route53: ChangeResourceRecordSets GetChange GetHostedZone ListResourceRecordSets',
  'AWS::S3::Bucket':
    's3: CreateBucket DeleteBucket GetBucketPublicAccessBlock GetBucketTagging GetEncryptionConfiguration PutBucketPublicAccessBlock PutBucketTagging PutEncryptionConfiguration',
  'AWS::S3::BucketPolicy': 's3: DeleteBucketPolicy GetBucketPolicy PutBucketPolicy',
  'AWS::SNS::Topic': `sns: CreateTopic DeleteTopic GetDataProtectionPolicy GetTopicAttributes ListSubscriptionsByTopic SetTopicAttributes Subscribe Unsubscribe ${TAGS}`,
}

/** The framework's own calls, the calls of the checks before a deployment, and a step that `rollback` prints. */
const OF_FRAMEWORK = [
  'cloudformation: ContinueUpdateRollback',
  'cloudformation: CreateChangeSet DeleteChangeSet DeleteStack DescribeChangeSet DescribeStackEvents DescribeStackResource DescribeStacks ExecuteChangeSet GetTemplate ListStackResources UpdateTerminationProtection ValidateTemplate',
  's3: DeleteObject GetBucketLocation GetObject ListBucket PutObject',
]

const ACCOUNT = '123456789012'
const SERVICE = 'blockchain-events'
const ZONE = 'Z0PROD'

/** Only prod's deployer has all optional parts. */
const DEPLOYERS = {
  dev: { Stage: 'dev' },
  staging: { Stage: 'staging', ApiId: 'stagingapi' },
  prod: {
    Stage: 'prod',
    ApiId: 'prodapi123',
    CustomDomain: 'events.example.org',
    HostedZoneId: ZONE,
    ImportBucket: 'import-files',
    KeepsTable: 'true',
    PublishBusArn: `arn:aws:events:eu-west-1:${ACCOUNT}:event-bus/orders`,
    OnCallPrincipal: `arn:aws:iam::${ACCOUNT}:role/people-on-call`,
  },
}
type Stage = keyof typeof DEPLOYERS
const STAGES = Object.keys(DEPLOYERS) as Stage[]
const BOUNDARY = `arn:aws:iam::${ACCOUNT}:policy/boundary`

const template = parse(readFileSync(new URL('deployer.yml', PIPELINE), 'utf8')) as Template & {
  Parameters: Record<string, { Default?: string; AllowedPattern?: string }>
}

function deployerOf(parameters: Record<string, string>): Template {
  const defaults = Object.entries(template.Parameters).map(([name, { Default = '' }]) => [name, Default])
  return fillIn(template, {
    ...Object.fromEntries(defaults),
    'AWS::Partition': 'aws',
    'AWS::AccountId': ACCOUNT,
    Boundary: BOUNDARY,
    Repository: 'our-org/our-repository',
    ...parameters,
  }) as Template
}

function statementsOf(parameters: Record<string, string>, ...policies: string[]): Statement[] {
  const { Resources } = deployerOf(parameters)
  return policies.flatMap(name => {
    const { PolicyDocument } = { ...Resources[name]?.Properties } as {
      PolicyDocument: { Statement: Statement[] }
    }
    return PolicyDocument.Statement
  })
}

const DEPLOYING = ['DeployStack', 'DeployFunctions', 'DeployObservers']
const deployers = Object.fromEntries(
  STAGES.map(stage => [stage, statementsOf(DEPLOYERS[stage], ...DEPLOYING)]),
) as Record<Stage, Statement[]>
const allowedBy = (statements: { Action: string | string[] }[]) =>
  new Set(statements.flatMap(({ Action }) => [Action].flat()))

const arn = (service: string, rest: string, region = 'eu-west-1') =>
  `arn:aws:${service}:${region}:${service === 'apigateway' ? '' : ACCOUNT}:${rest}`
const own = (stage: string) => `${SERVICE}-${stage}`
const [PROD, STAGING] = [own('prod'), own('staging')]
const apiOf = (stage: string) => ({ dev: 'devapi1234', staging: 'stagingapi', prod: 'prodapi123' })[stage]
const tagsOf = (stage: string) => ({ 'aws:ResourceTag/service': SERVICE, 'aws:ResourceTag/stage': stage })
const pass = (service: string) => ({ 'iam:PassedToService': service })
const bounded = { 'iam:PermissionsBoundary': BOUNDARY }

const roleOf = (stage: string) => arn('iam', `role/${own(stage)}-UserEventsRole-1X2Y`, '')
const ofOwn =
  (service: string, kind: string, rest = '') =>
  (stage: string) =>
    arn(service, `${kind}${own(stage)}${rest}`)

/** The actions that only a stage's own deployer may take. */
const OF_STAGE: [string, (stage: string) => string, ((stage: string) => Access['context'])?][] = [
  ['cloudformation: CreateChangeSet DeleteStack', ofOwn('cloudformation', 'stack/', '/1')],
  ['s3: PutObject', stage => `arn:aws:s3:::${own(stage)}-serverlessdeploymentbucket-1x2y/a.zip`],
  ['dynamodb: CreateTable', ofOwn('dynamodb', 'table/')],
  ['dynamodb: DescribeTable', ofOwn('dynamodb', 'table/', '-restored')],
  ['dynamodb: DescribeImport', ofOwn('dynamodb', 'table/', '/import/01')],
  [
    'lambda: AddPermission',
    ofOwn('lambda', 'function:', '-userEvents:live'),
    () => ({ 'lambda:Principal': 'apigateway.amazonaws.com' }),
  ],
  ['lambda: UpdateFunctionCode', ofOwn('lambda', 'function:', '-userEvents')],
  ['lambda: UpdateAlias', ofOwn('lambda', 'function:', '-userEvents:live')],
  ['lambda: InvokeFunction', ofOwn('lambda', 'function:', '-checkVersion')],
  ['iam: CreateRole PutRolePolicy', roleOf, () => bounded],
  ['iam: DeleteRole', roleOf],
  ['iam: PassRole', roleOf, () => pass('lambda.amazonaws.com')],
  ['codedeploy: CreateDeployment StopDeployment', ofOwn('codedeploy', 'deploymentgroup:', '/user-events')],
  ['codedeploy: DeleteApplication', ofOwn('codedeploy', 'application:')],
  ['apigateway: PATCH', stage => arn('apigateway', `/apis/${apiOf(stage)}`), tagsOf],
  ['apigateway: POST', stage => arn('apigateway', `/apis/${apiOf(stage)}/routes`), tagsOf],
  ['apigateway: DELETE', stage => arn('apigateway', `/apis/${apiOf(stage)}/integrations/1`), tagsOf],
  ['logs: PutRetentionPolicy', ofOwn('logs', 'log-group:/aws/lambda/', '-docs:log-stream:')],
  ['logs: DeleteLogGroup', ofOwn('logs', 'log-group:/aws/vendedlogs/http-api/')],
  ['logs: PutMetricFilter', ofOwn('logs', 'log-group:/aws/vendedlogs/http-api/', ':*')],
  ['events: PutRule', ofOwn('events', 'rule/', '-UserEventsEventsRuleSchedule1-1X')],
  ['cloudwatch: PutMetricAlarm', ofOwn('cloudwatch', 'alarm:', '-latency')],
  ['cloudwatch: PutDashboard', stage => arn('cloudwatch', `dashboard/${own(stage)}`, '')],
  ['sns: Subscribe', ofOwn('sns', '', '-AlarmTopic-1X2Y')],
  ['budgets: ModifyBudget', stage => arn('budgets', `budget/${own(stage)}`, '')],
]

const rows = STAGES.flatMap(stage =>
  OF_STAGE.flatMap(([texts, resource, context]) =>
    actions(texts).map(action => [stage, action, resource, context] as const),
  ),
)

test.each(rows)('only the deployer of %s may %s there', (stage, action, resource, context = () => ({})) => {
  const access = { action, resource: resource(stage), context: context(stage) ?? {} }
  const able = STAGES.filter(each => isAllowed(deployers[each], access))

  expect(able).toEqual([stage])
})

/**
 * These calls would extend a deployer's rights or use other owners' resources. A deployer may take the same actions on
 * its own resources. Another test shows that no other actions are allowed.
 */
const NEVER: [string, string, Access['context']?][] = [
  ['iam:CreateRole', arn('iam', `role/${PROD}-UserEventsRole-1`, '')],
  ['iam:CreateRole', arn('iam', `role/${PROD}-UserEventsRole-1`, ''), { 'iam:PermissionsBoundary': 'other' }],
  ['iam:PutRolePolicy', arn('iam', `role/${PROD}-deployer`, ''), bounded],
  ['iam:UpdateAssumeRolePolicy', arn('iam', `role/${PROD}-deployer`, '')],
  ['iam:PassRole', arn('iam', `role/${PROD}-deployer`, ''), pass('lambda.amazonaws.com')],
  ['iam:PassRole', arn('iam', `role/${own('dev')}-UserEventsRole-1`, ''), pass('ec2.amazonaws.com')],
  ['cloudformation:CreateChangeSet', arn('cloudformation', `stack/${PROD}-deployer/1`)],
  ['cloudformation:CreateChangeSet', arn('cloudformation', 'stack/another/1')],
  ...['DeleteTable', 'UpdateTable', 'UpdateContinuousBackups'].map((name): [string, string] => [
    `dynamodb:${name}`,
    arn('dynamodb', `table/${PROD}`),
  ]),
  ...['*', ACCOUNT, 's3.amazonaws.com'].map((principal): [string, string, Access['context']] => [
    'lambda:AddPermission',
    arn('lambda', `function:${PROD}-userEvents`),
    { 'lambda:Principal': principal },
  ]),
  ['dynamodb:DeleteTable', arn('dynamodb', 'table/another')],
  ['dynamodb:DeleteTable', arn('dynamodb', `table/${SERVICE}-production`)],
  ['lambda:InvokeFunction', arn('lambda', `function:${PROD}-userEvents`)],
  ['lambda:UpdateFunctionCode', arn('lambda', 'function:another')],
  ['s3:GetObject', 'arn:aws:s3:::another/key'],
  ['apigateway:PATCH', arn('apigateway', '/apis/another'), {}],
  ['apigateway:DELETE', arn('apigateway', '/apis/another'), { 'aws:ResourceTag/stage': 'dev' }],
  ['apigateway:POST', arn('apigateway', '/apis'), { 'apigateway:Request/ApiName': 'another' }],
  ['apigateway:POST', arn('apigateway', '/restapis')],
  ['apigateway:PATCH', arn('apigateway', '/domainnames/other.example.org')],
  ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/Z0OTHER'],
  [
    'route53:ChangeResourceRecordSets',
    `arn:aws:route53:::hostedzone/${ZONE}`,
    { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['events.example.org', 'www.example.org'] },
  ],
  ['sns:SetTopicAttributes', arn('sns', 'alarms')],
  ['events:PutRule', arn('events', 'rule/another')],
  ['budgets:ModifyBudget', arn('budgets', 'budget/another', '')],
]

test.each(NEVER)('no deployer may %s %s, with %j', (action, resource, context = {}) => {
  expect(STAGES.filter(stage => isAllowed(deployers[stage], { action, resource, context }))).toEqual([])
})

test.each([
  [
    'route53:ChangeResourceRecordSets',
    `arn:aws:route53:::hostedzone/${ZONE}`,
    { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['events.example.org'] },
  ],
  ['apigateway:POST', arn('apigateway', '/domainnames/events.example.org/apimappings'), {}],
])('only the deployer of the stage with a domain may %s %s', (action, resource, context) => {
  expect(STAGES.filter(stage => isAllowed(deployers[stage], { action, resource, context }))).toEqual(['prod'])
})

test('a deployer that does not know its API yet makes one of the name of the stage; one that does makes none', () => {
  const mayPost = (stage: Stage, path: string, context: Record<string, string>) =>
    isAllowed(deployers[stage], { action: 'apigateway:POST', resource: arn('apigateway', path), context })
  const mayMake = (stage: Stage, name: string) =>
    mayPost(stage, '/apis', { 'apigateway:Request/ApiName': `${name}-${SERVICE}` })
  const tags = '/tags/arn%3Aaws%3Aapigateway%3Aeu-west-1%3A%3A%2Fapis%2Fprodapi123'
  const stagingTags = { 'aws:RequestTag/service': SERVICE, 'aws:RequestTag/stage': 'staging' }

  expect(STAGES.filter(stage => mayMake(stage, stage))).toEqual(['dev'])
  expect(mayMake('dev', 'prod')).toBe(false)
  expect(mayPost('staging', tags, stagingTags)).toBe(false)
})

test.each(STAGES)('the role of %s is given to runs of that environment of GitHub only', stage => {
  const { AssumeRolePolicyDocument } = { ...deployerOf(DEPLOYERS[stage]).Resources.Deployer?.Properties } as {
    AssumeRolePolicyDocument: { Statement: Omit<Statement, 'Resource'>[] }
  }
  const trust = AssumeRolePolicyDocument.Statement.map(each => ({ ...each, Resource: '*' }))
  const takes = (sub: string, aud = 'sts.amazonaws.com') =>
    isAllowed(trust, {
      action: 'sts:AssumeRoleWithWebIdentity',
      resource: '*',
      context: {
        'token.actions.githubusercontent.com:aud': aud,
        'token.actions.githubusercontent.com:sub': sub,
      },
    })
  const environments = [...STAGES, 'pr', '*'].map(each => `repo:our-org/our-repository:environment:${each}`)

  expect(environments.filter(each => takes(each))).toEqual([
    `repo:our-org/our-repository:environment:${stage}`,
  ])
  expect(takes('repo:our-org/our-repository:ref:refs/heads/main')).toBe(false)
  expect(takes(`repo:other-org/our-repository:environment:${stage}`)).toBe(false)
  expect(takes(`repo:our-org/our-repository:environment:${stage}`, 'other')).toBe(false)
})

test.each([
  ['dynamodb:Query', arn('dynamodb', `table/${PROD}`), true],
  ['dynamodb:Query', arn('dynamodb', `table/${PROD}/index/byUser`), true],
  ['dynamodb:Query', arn('dynamodb', `table/${PROD}-2`), true],
  ['dynamodb:Query', arn('dynamodb', `table/${STAGING}`), false],
  ['dynamodb:DeleteTable', arn('dynamodb', `table/${PROD}`), false],
  ['ssm:GetParameter', arn('ssm', `parameter/${SERVICE}/prod/index`), true],
  ['ssm:GetParameter', arn('ssm', `parameter/${SERVICE}/staging/index`), false],
  ['lambda:UpdateAlias', arn('lambda', `function:${PROD}-userEvents`), true],
  ['lambda:UpdateAlias', arn('lambda', `function:${own('dev')}-userEvents`), false],
  ['iam:CreateRole', arn('iam', `role/${PROD}-UserEventsRole-1`, ''), false],
  ['events:PutEvents', arn('events', 'event-bus/orders'), true],
  ['events:PutEvents', arn('events', 'event-bus/default'), false],
])('a role of prod that allows everything may %s %s: %s', (action, resource, may) => {
  expect(isAllowed(statementsOf(DEPLOYERS.prod, 'Boundary'), { action, resource })).toBe(may)
})

const STACK = arn('cloudformation', `stack/${PROD}/1`)
const SHIFT = arn('codedeploy', `deploymentgroup:${PROD}/changes`)
const TABLE = arn('dynamodb', `table/${PROD}`)
const functionOf = (stage: string, name: string) => arn('lambda', `function:${stage}-${name}`)
const CHECKPOINTS = { 'dynamodb:LeadingKeys': ['checkpoints'] }

/**
 * Actions that the person on call for prod must be able to take, and actions that this person must be able to take only
 * on other resources. No other actions are allowed at all.
 */
const ON_CALL: [resource: string, may: string, mayNot?: string, context?: Access['context']][] = [
  [
    STACK,
    'cloudformation: CancelUpdateStack DescribeStackEvents DescribeStackResource DescribeStacks GetTemplate ListStackResources',
  ],
  [arn('cloudformation', `stack/${STAGING}/1`), '', 'cloudformation: CancelUpdateStack'],
  [functionOf(PROD, 'userEvents'), 'lambda: GetAlias ListVersionsByFunction UpdateAlias'],
  [functionOf(PROD, 'changes:41'), 'lambda: GetFunctionConfiguration InvokeFunction'],
  [functionOf(PROD, 'indexChain'), '', 'lambda: InvokeFunction UpdateAlias'],
  [functionOf(STAGING, 'userEvents'), '', 'lambda: InvokeFunction UpdateAlias'],
  [SHIFT, 'codedeploy: GetDeployment ListDeployments StopDeployment'],
  [
    TABLE,
    'dynamodb: BatchGetItem DescribeContinuousBackups DescribeTable DescribeTimeToLive GetItem ListTagsOfResource Query RestoreTableToPointInTime',
    'dynamodb: BatchWriteItem DeleteItem PutItem Scan UpdateContinuousBackups UpdateTable',
  ],
  [
    TABLE,
    'dynamodb: UpdateItem',
    '',
    { ...CHECKPOINTS, 'dynamodb:Attributes': ['l', 'p', 'auditedBlock', 'fence'] },
  ],
  [TABLE, '', 'dynamodb: UpdateItem', { ...CHECKPOINTS, 'dynamodb:Attributes': ['l', 'p', 'blockNumber'] }],
  [TABLE, '', 'dynamodb: UpdateItem', { 'dynamodb:LeadingKeys': ['all@137'] }],
  [
    `${TABLE}-2`,
    'dynamodb: BatchWriteItem DeleteItem PutItem Query Scan TagResource UpdateContinuousBackups UpdateItem UpdateTable UpdateTimeToLive',
  ],
  [arn('dynamodb', `table/${STAGING}`), '', 'dynamodb: Query RestoreTableToPointInTime'],
  [
    arn('logs', `log-group:/aws/lambda/${PROD}-indexChain:log-stream:x`),
    'logs: DescribeLogStreams FilterLogEvents GetLogEvents StartQuery',
  ],
  [arn('logs', `log-group:/aws/vendedlogs/http-api/${PROD}:*`), 'logs: FilterLogEvents StartQuery'],
  [arn('logs', 'log-group:/aws/lambda/another'), '', 'logs: FilterLogEvents GetLogEvents'],
]

const { Policies } = { ...deployerOf(DEPLOYERS.prod).Resources.OnCall?.Properties } as {
  Policies?: { PolicyDocument: { Statement: Statement[] } }[]
}
const onCall = (Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)

test.each(ON_CALL)(
  'the person on call may, on %s: %s, not %s',
  (resource, may, mayNot = '', context = {}) => {
    const isAble = (action: string) => isAllowed(onCall, { action, resource, context })

    expect(actions(may).filter(action => !isAble(action))).toEqual([])
    expect(actions(mayNot).filter(isAble)).toEqual([])
  },
)

test('the role on call has no action that the lists do not name, and is there only for a principal', () => {
  const listed = ON_CALL.flatMap(([, may]) => actions(may))
  const wide = actions('logs: DescribeLogGroups GetQueryResults StopQuery')

  expect([...allowedBy(onCall)].filter(each => !listed.includes(each)).sort()).toEqual(wide)
  expect(deployerOf(DEPLOYERS.prod).Resources.OnCall?.Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [{ Principal: { AWS: DEPLOYERS.prod.OnCallPrincipal }, Action: 'sts:AssumeRole' }],
  })
  expect(deployerOf(DEPLOYERS.dev).Resources).not.toHaveProperty('OnCall')
})

test('the deployer may do what each type of every variant needs, and nothing else', () => {
  const types = new Set(
    variants.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)),
  )
  const unknown = [...types].filter(type => !(type in OF_TYPES))
  const needed = new Set([...[...types].flatMap(type => actions(OF_TYPES[type])), ...actions(OF_FRAMEWORK)])
  const changes = actions('dynamodb: DeleteTable UpdateContinuousBackups UpdateTable')
  const free = statementsOf({ ...DEPLOYERS.prod, KeepsTable: 'false' }, ...DEPLOYING)

  expect(unknown).toEqual([])
  expect([...allowedBy(free)].sort()).toEqual([...needed].sort())
  expect([...allowedBy(deployers.prod)].sort()).toEqual(
    [...needed].filter(each => !changes.includes(each)).sort(),
  )
})

test('it may do with all resources only what has no resource with a name', () => {
  const wide = deployers.prod.filter(({ Resource }) => Resource === '*')
  const nameless = [
    'cloudformation: ValidateTemplate',
    'cloudwatch: DescribeAlarms',
    'route53: GetChange',
    'logs: CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies GetLogDelivery ListLogDeliveries PutResourcePolicy UpdateLogDelivery',
  ]

  expect([...allowedBy(wide)].sort()).toEqual(actions(nameless).sort())
})

test('the boundary leaves the roles of the service all that they allow', () => {
  const policies = variants.flatMap(({ template }) =>
    Object.values(resourcesOf(template, 'AWS::IAM::Role')).flatMap(
      ({ Properties }) => Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[],
    ),
  )
  const used = allowedBy(policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement))

  expect([...used].sort()).toEqual([...allowedBy(statementsOf(DEPLOYERS.prod, 'Boundary'))].sort())
})

test('it takes no stage whose stack has a name that CloudFormation shortens in the name of the bucket', () => {
  const { AllowedPattern } = { ...template.Parameters.Stage }
  const isAccepted = (stage: string) => new RegExp(`^(${AllowedPattern})$`).test(stage)

  expect(STAGES.filter(isAccepted)).toEqual(STAGES)
  // The parts of a bucket's name (63 characters): the stack, 24 characters of the logical id, and 12 random ones.
  expect(isAccepted('x'.repeat(63 - 24 - 12 - 2 - own('').length))).toBe(true)
  expect(isAccepted('x'.repeat(63 - 24 - 12 - 1 - own('').length))).toBe(false)
})

test('its policies are not too long', () => {
  for (const name of ['Boundary', ...DEPLOYING]) {
    const { PolicyDocument } = { ...template.Resources[name]?.Properties }
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect([name, JSON.stringify(PolicyDocument).length < 6144]).toEqual([name, true])
  }
})

describe('the workflow', () => {
  interface Job {
    permissions?: object
    steps: { run?: string; uses?: string; with?: Record<string, unknown> }[]
  }
  const source = readFileSync(new URL('github-actions.yml', PIPELINE), 'utf8')
  const workflow: { permissions: object; jobs: Record<'check' | 'deploy', Job> } = parse(source)
  const { check, deploy } = workflow.jobs
  const runsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? [])
  const usesOf = ({ steps }: Job) => steps.flatMap(({ uses }) => uses ?? [])
  const givenTo = ({ steps }: Job, action: string) =>
    steps.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with

  test('takes on the role by a token of GitHub, and holds no key', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(check.permissions).toBeUndefined()
    expect(deploy).toMatchObject({
      needs: 'check',
      permissions: { contents: 'read', 'id-token': 'write' },
    })
    expect(source).not.toMatch(/secrets\.|access-key|run:.*\$\{\{/i)
  })

  test('names every action by a commit, with the version beside it', () => {
    for (const each of [...usesOf(check), ...usesOf(deploy)]) {
      expect(each).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/)
      expect(source).toMatch(new RegExp(`uses: ${each} # v\\d+\\.\\d+\\.\\d+\n`))
    }
  })

  test('deploys the package that was checked, and runs no script of a package and no cache where the token is', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    const named = runsOf(check).flatMap(run => /^npm run (\S+)/.exec(run)?.slice(1) ?? [])

    expect(named.filter(script => !(script in scripts))).toEqual([])
    expect(runsOf(check).at(-1)).toMatch(/^npm run package .*--package checked$/)
    expect(givenTo(check, 'upload-artifact')).toMatchObject({ name: 'checked', path: 'checked' })
    expect(givenTo(deploy, 'download-artifact')).toMatchObject({ name: 'checked', path: 'checked' })
    expect(runsOf(deploy)).toEqual([
      'npm ci --ignore-scripts',
      expect.stringMatching(/^npm run deploy .*--package checked /),
    ])
    expect(deploy.steps.filter(step => 'cache' in (step.with ?? {}))).toEqual([])
  })
})
