import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { useVariant, VARIANTS } from '../../support/programs/stage-variants.ts'
import type { Template } from '../../support/programs/use-packaged-service.ts'

const PIPELINE = new URL('../../../infra/pipeline/', import.meta.url)
const NAMES = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]
const variants = NAMES.map(name => useVariant(name))

const words = (text: string) => text.trim().split(/\s+/)
const actions = (service: string, names: string) => words(names).map(name => `${service}:${name}`)

const TAGS = 'ListTagsForResource TagResource UntagResource'
const API = actions('apigateway', 'GET POST PUT PATCH DELETE TagResource UntagResource')

/**
 * What CloudFormation calls to make, read, change and remove each type, by the handlers of the types' schemas:
 * https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schemas.html
 */
const OF_TYPES: Record<string, string[]> = {
  'AWS::ApiGatewayV2::Api': API,
  'AWS::ApiGatewayV2::ApiMapping': API,
  'AWS::ApiGatewayV2::Authorizer': API,
  'AWS::ApiGatewayV2::DomainName': API,
  'AWS::ApiGatewayV2::Integration': API,
  'AWS::ApiGatewayV2::Route': API,
  'AWS::ApiGatewayV2::Stage': [
    ...API,
    // The access log.
    ...actions(
      'logs',
      'CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies GetLogDelivery ListLogDeliveries PutResourcePolicy UpdateLogDelivery',
    ),
  ],
  'AWS::Budgets::Budget': actions('budgets', `ModifyBudget ViewBudget ${TAGS}`),
  'AWS::CloudWatch::Alarm': actions('cloudwatch', `DeleteAlarms DescribeAlarms PutMetricAlarm ${TAGS}`),
  'AWS::CloudWatch::Dashboard': actions('cloudwatch', `DeleteDashboards GetDashboard PutDashboard ${TAGS}`),
  'AWS::CodeDeploy::Application': actions(
    'codedeploy',
    `CreateApplication DeleteApplication GetApplication UpdateApplication ${TAGS}`,
  ),
  'AWS::CodeDeploy::DeploymentGroup': [
    ...actions(
      'codedeploy',
      'CreateDeploymentGroup DeleteDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup',
    ),
    'iam:PassRole',
  ],
  'AWS::DynamoDB::Table': [
    ...actions(
      'dynamodb',
      'CreateTable DeleteTable DescribeContinuousBackups DescribeContributorInsights DescribeImport DescribeKinesisStreamingDestination DescribeTable DescribeTimeToLive GetResourcePolicy ImportTable ListTagsOfResource TagResource UntagResource UpdateContinuousBackups UpdateTable UpdateTimeToLive',
    ),
    // The files of an import, and its log.
    ...actions('s3', 'GetObject ListBucket'),
    ...actions('logs', 'CreateLogGroup CreateLogStream DescribeLogStreams PutLogEvents PutRetentionPolicy'),
  ],
  'AWS::Events::Rule': actions(
    'events',
    `DeleteRule DescribeRule ListTargetsByRule PutRule PutTargets RemoveTargets ${TAGS}`,
  ),
  'AWS::IAM::Role': actions(
    'iam',
    'CreateRole DeleteRole DeleteRolePolicy GetRole GetRolePolicy ListAttachedRolePolicies ListRolePolicies PutRolePermissionsBoundary PutRolePolicy TagRole UntagRole UpdateAssumeRolePolicy UpdateRole UpdateRoleDescription',
  ),
  'AWS::Lambda::Alias': [
    ...actions('lambda', 'CreateAlias DeleteAlias GetAlias GetProvisionedConcurrencyConfig UpdateAlias'),
    // Its traffic is shifted by CodeDeploy.
    ...actions(
      'codedeploy',
      'CreateDeployment GetDeployment GetDeploymentConfig RegisterApplicationRevision StopDeployment',
    ),
  ],
  'AWS::Lambda::EventInvokeConfig': actions(
    'lambda',
    'DeleteFunctionEventInvokeConfig GetFunctionEventInvokeConfig PutFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig',
  ),
  'AWS::Lambda::Function': [
    ...actions(
      'lambda',
      'CreateFunction DeleteFunction DeleteFunctionConcurrency GetFunction GetFunctionCodeSigningConfig GetFunctionConfiguration GetFunctionRecursionConfig GetRuntimeManagementConfig ListTags PutFunctionConcurrency TagResource UntagResource UpdateFunctionCode UpdateFunctionConfiguration',
    ),
    'iam:PassRole',
  ],
  'AWS::Lambda::Permission': actions('lambda', 'AddPermission GetPolicy RemovePermission'),
  'AWS::Lambda::Version': actions(
    'lambda',
    'GetFunctionConfiguration GetProvisionedConcurrencyConfig ListVersionsByFunction PublishVersion',
  ),
  'AWS::Logs::LogGroup': actions(
    'logs',
    `CreateLogGroup DeleteLogGroup DeleteRetentionPolicy DescribeIndexPolicies DescribeLogGroups GetDataProtectionPolicy PutRetentionPolicy ${TAGS}`,
  ),
  'AWS::Logs::MetricFilter': actions('logs', 'DeleteMetricFilter DescribeMetricFilters PutMetricFilter'),
  'AWS::Route53::RecordSet': actions(
    'route53',
    'ChangeResourceRecordSets GetChange GetHostedZone ListResourceRecordSets',
  ),
  'AWS::S3::Bucket': actions(
    's3',
    'CreateBucket DeleteBucket GetBucketPublicAccessBlock GetBucketTagging GetEncryptionConfiguration PutBucketPublicAccessBlock PutBucketTagging PutEncryptionConfiguration',
  ),
  'AWS::S3::BucketPolicy': actions('s3', 'DeleteBucketPolicy GetBucketPolicy PutBucketPolicy'),
  'AWS::SNS::Topic': actions(
    'sns',
    `CreateTopic DeleteTopic GetDataProtectionPolicy GetTopicAttributes ListSubscriptionsByTopic SetTopicAttributes Subscribe Unsubscribe ${TAGS}`,
  ),
}

/** What the framework itself calls, and the checks before a deployment. */
const OF_FRAMEWORK = [
  ...actions(
    'cloudformation',
    'CreateChangeSet DeleteChangeSet DeleteStack DescribeChangeSet DescribeStackEvents DescribeStackResource DescribeStacks ExecuteChangeSet GetTemplate ListStackResources ValidateTemplate',
  ),
  ...actions('s3', 'DeleteObject GetBucketLocation GetObject ListBucket PutObject'),
]

interface Statement {
  Sid: string
  Action: string | string[]
  Resource: unknown
  Condition?: unknown
}

let deployer: Template
beforeAll(async () => {
  deployer = parse(await readFile(new URL('deployer.yml', PIPELINE), 'utf8'))
})

/** The statements of a policy, those that depend on a parameter among them. */
function statementsOf(name: string): Statement[] {
  const { PolicyDocument } = { ...deployer.Resources[name]?.Properties } as {
    PolicyDocument: { Statement: (Statement | { 'Fn::If': [string, Statement, unknown] })[] }
  }
  return PolicyDocument.Statement.map(each => ('Fn::If' in each ? each['Fn::If'][1] : each))
}

const deploying = () => ['DeployStack', 'DeployFunctions', 'DeployObservers'].flatMap(statementsOf)
const allowedBy = (statements: Statement[]) => new Set(statements.flatMap(({ Action }) => [Action].flat()))

test('the deployer may do what each type of every variant needs, and nothing else', () => {
  const types = new Set(
    variants.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)),
  )
  const unknown = [...types].filter(type => !(type in OF_TYPES))
  const needed = new Set([...[...types].flatMap(type => OF_TYPES[type] ?? []), ...OF_FRAMEWORK])

  expect(unknown).toEqual([])
  expect([...allowedBy(deploying())].sort()).toEqual([...needed].sort())
})

test('it may do that with what is named after the service, and with all only what has no name', () => {
  const wide = deploying().filter(({ Resource }) => JSON.stringify(Resource) === '"*"')

  expect([...allowedBy(wide)].sort()).toEqual(
    [
      ...actions('cloudformation', 'ValidateTemplate'),
      ...actions('cloudwatch', 'DescribeAlarms'),
      ...actions('route53', 'GetChange'),
      ...actions(
        'logs',
        'CreateLogDelivery DeleteLogDelivery DescribeLogGroups DescribeResourcePolicies GetLogDelivery ListLogDeliveries PutResourcePolicy UpdateLogDelivery',
      ),
    ].sort(),
  )
  const unnamed = deploying().filter(
    ({ Resource }) =>
      !wide.some(each => each.Resource === Resource) &&
      !/\$\{(Service|ImportBucket)\}/.test(JSON.stringify(Resource)),
  )
  // Ids of APIs and zones are AWS's; the log of an import has a name of DynamoDB's.
  expect(unnamed.map(({ Sid }) => Sid)).toEqual(['ImportLog', 'Api', 'Addresses'])
})

test('it makes no role that is not bounded, and gives roles to Lambda and CodeDeploy only', () => {
  const boundary = { StringEquals: { 'iam:PermissionsBoundary': { Ref: 'Boundary' } } }
  const widening = deploying().filter(({ Action }) =>
    [Action]
      .flat()
      .some(action => /^iam:(CreateRole|PutRole|AttachRole|DeleteRolePermissionsBoundary)/.test(action)),
  )

  expect(widening.map(({ Condition }) => Condition)).toEqual(widening.map(() => boundary))
  expect(deploying().find(({ Sid }) => Sid === 'GiveRoles')?.Condition).toEqual({
    StringEquals: { 'iam:PassedToService': ['codedeploy.amazonaws.com', 'lambda.amazonaws.com'] },
  })
})

test('the boundary leaves the roles of the service all that they allow', () => {
  const allowed = allowedBy(statementsOf('Boundary'))
  const used = variants.flatMap(({ template }) =>
    Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::IAM::Role')
      .flatMap(({ Properties }) => Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[])
      .flatMap(({ PolicyDocument }) => [...allowedBy(PolicyDocument.Statement)]),
  )

  expect([...new Set(used)].sort()).toEqual([...allowed].sort())
})

test('its policies are not too long', () => {
  for (const name of ['Boundary', 'DeployStack', 'DeployFunctions', 'DeployObservers']) {
    const { PolicyDocument } = { ...deployer.Resources[name]?.Properties }
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect([name, JSON.stringify(PolicyDocument).length < 6144]).toEqual([name, true])
  }
})

test('the workflow takes on the role by a token of GitHub, and holds no key', async () => {
  const text = await readFile(new URL('github-actions.yml', PIPELINE), 'utf8')
  const { permissions, jobs } = parse(text) as {
    permissions: object
    jobs: Record<string, { needs?: string; permissions?: object; steps: { run?: string; uses?: string }[] }>
  }

  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.deploy).toMatchObject({
    needs: 'check',
    permissions: { contents: 'read', 'id-token': 'write' },
  })
  expect(text).not.toMatch(/secrets\.|access-key/i)
  expect(text).not.toMatch(/run:.*\$\{\{ inputs\.switchOff/)
  const { scripts } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  for (const { run = '' } of Object.values(jobs).flatMap(({ steps }) => steps)) {
    const [, script] = /^npm run (\S+)/.exec(run) ?? []
    if (script) expect(scripts).toHaveProperty(script)
  }
})
