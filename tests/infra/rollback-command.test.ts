import { readTableDefinition } from '../../infra/deploy/read-table-definition.ts'
import { type AwsCall, type RecordingAws, startRecordingAws } from '../support/programs/recording-aws.ts'
import { runCommand } from '../support/programs/run-command.ts'

const NAME = 'blockchain-events-prod'
const PARTS = { userEvents: 'UserEvents', tokenEvents: 'TokenEvents', changes: 'Changes' }

let aws: RecordingAws | undefined
afterEach(async () => {
  await aws?.stop()
  aws = undefined
})

/** The part of the stack's template that a rollback reads. */
const template = ({ hasVersions = true } = {}) => {
  const roles = [...Object.values(PARTS), 'Status', 'IndexChain'].map(part => [
    `${part}Role`,
    { Type: 'AWS::IAM::Role', Properties: { Resource: 'arn:aws:dynamodb:::table/events' } },
  ])
  const ofParts = Object.values(PARTS).flatMap(part => [
    [
      `${part}EventsRuleSchedule1`,
      { Type: 'AWS::Events::Rule', Properties: { Targets: [{ Input: '{"smoke":true}' }] } },
    ],
    ...(hasVersions
      ? [
          [
            `${part}LiveAlias`,
            {
              Type: 'AWS::Lambda::Alias',
              Properties: { FunctionVersion: { 'Fn::GetAtt': [`${part}Version`, 'Version'] } },
            },
          ],
        ]
      : []),
  ])
  return { Resources: Object.fromEntries([...roles, ...ofParts]) }
}

interface Prod {
  reply?: object
  table?: object
  tableName?: string
  hasVersions?: boolean
}

/** A stage in the middle of a shift from version 1 to version 2, with the releases aaaaaaaa and bbbbbbbb. */
async function startProd({
  reply = { events: [{}] },
  table = { Table: { ...readTableDefinition(), TableStatus: 'ACTIVE' } },
  tableName = 'events',
  hasVersions = true,
}: Prod = {}) {
  const version = (Version: string, release: string) => ({
    Version,
    Description: `One. Release ${release} of 1.0.0+without-git${release === 'bbbbbbbb' ? ', after aaaaaaaa' : ''}`,
    Environment: { Variables: { EVENTS_TABLE: tableName } },
  })
  const answers: Record<string, (call: AwsCall) => object> = {
    GetTemplate: () => ({ TemplateBody: JSON.stringify(template({ hasVersions })) }),
    DescribeStacks: () => ({ Stacks: [{ StackName: NAME, StackStatus: 'UPDATE_IN_PROGRESS' }] }),
    DescribeStackResource: () => ({
      StackResourceDetail: { PhysicalResourceId: 'arn:aws:lambda:::function:f:2' },
    }),
    GetAlias: () => ({
      FunctionVersion: '1',
      RoutingConfig: { AdditionalVersionWeights: { '2': 0.1 } },
    }),
    GetFunctionConfiguration: () => version('1', 'aaaaaaaa'),
    ListVersionsByFunction: () => ({
      Versions: [{ Version: '$LATEST' }, version('1', 'aaaaaaaa'), version('2', 'bbbbbbbb')],
    }),
    DescribeTable: () => table,
    Invoke: () => reply,
    ListDeployments: ({ input }) => ({ deployments: input.deploymentGroupName === 'changes' ? ['d-1'] : [] }),
    StopDeployment: () => ({ status: 'Pending' }),
    GetDeployment: () => ({ deploymentInfo: { status: 'Stopped' } }),
    UpdateAlias: () => ({}),
  }
  aws = await startRecordingAws(call => answers[call.name]?.(call))
  return aws
}

const rollback = ({ baseUrl }: RecordingAws, ...args: string[]) =>
  runCommand('rollback', ['--stage', 'prod', ...args], {
    env: {
      AWS_ENDPOINT_URL: baseUrl,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  })

const changing = ({ calls }: RecordingAws) => calls.filter(({ name }) => /^(Stop|Update)/.test(name))

test('stops the shift, then leads all three aliases back and takes their weights away', async () => {
  const prod = await startProd()
  const { code, output, errors } = await rollback(prod)

  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(changing(prod)).toEqual([
    { name: 'StopDeployment', input: { deploymentId: 'd-1', autoRollbackEnabled: false } },
    ...Object.keys(PARTS).map(() => ({
      name: 'UpdateAlias',
      input: expect.objectContaining({
        Name: 'live',
        FunctionVersion: '1',
        RoutingConfig: { AdditionalVersionWeights: {} },
      }),
    })),
  ])
  expect(
    changing(prod)
      .slice(1)
      .map(({ input }) => input.FunctionName)
      .sort(),
  ).toEqual(
    Object.keys(PARTS)
      .map(key => `${NAME}-${key}`)
      .sort(),
  )
  expect(output).toContain('Stopped 1 shift of traffic')
  expect(output).toContain(
    `${NAME}-userEvents: from version 1 to version 1, release aaaaaaaa, 1.0.0+without-git, all traffic`,
  )
  expect(output).toContain('aws cloudformation wait stack-rollback-complete')
})

test('asks the versions themselves before any traffic is moved', async () => {
  const prod = await startProd()
  await rollback(prod)
  const asked = prod.calls.filter(({ name }) => name === 'Invoke')

  expect(asked.map(({ input }) => [input.Qualifier, input.smoke])).toEqual([1, 2, 3].map(() => ['1', true]))
  expect(prod.calls.findLastIndex(({ name }) => name === 'Invoke')).toBeLessThan(
    prod.calls.findIndex(({ name }) => /^(Stop|Update)/.test(name)),
  )
})

test.each<[string, Prod, string]>([
  [
    'the table is gone',
    { table: { error: 'ResourceNotFoundException', message: 'None' } },
    'There is no table events at AWS',
  ],
  [
    'the roles do not cover the table',
    { tableName: 'other' },
    'do not cover other, which that version reads. To lead the stage back to that table: npm run restore -- --stage prod --table other',
  ],
  [
    'a version fails',
    { reply: { errorType: 'TableFormatError', errorMessage: 'Another form' } },
    'fails its smoke check: TableFormatError: Another form',
  ],
])('changes nothing where %s, unless it is told so', async (_, state, problem) => {
  const refused = await startProd(state)
  const { code, errors } = await rollback(refused)
  expect(code).toBe(1)
  expect(errors).toContain(problem)
  expect(errors).toContain('Nothing was changed, because the target would fail')
  expect(changing(refused)).toEqual([])
  await refused.stop()

  const told = await startProd(state)
  expect((await rollback(told, '--skip-check-and-risk-an-outage')).code).toBe(0)
  expect(changing(told)).toHaveLength(4)
})

test('goes on where a smoke check finds nothing, for no version finds more', async () => {
  const prod = await startProd({ reply: { errorType: 'SmokeCheckFailed', errorMessage: 'nothing' } })

  expect((await rollback(prod)).code).toBe(0)
})

test('says what to do in a stage without versions', async () => {
  const without = await rollback(await startProd({ hasVersions: false }))
  expect(without.errors).toContain('has no versions (trafficShift: none): check out the commit')
})
