import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import deployWhatDiffers from '../../infra/deploy/deploy-what-differs.ts'
import type { Template } from '../../infra/deploy/template.ts'
import { startRecordingAws } from '../support/programs/recording-aws.ts'

const ZIP = 'the code of release B'
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deploy-what-differs-'))
  await mkdir(path.join(folder, '.serverless'))
  await writeFile(path.join(folder, '.serverless/userEvents.zip'), ZIP)
})
afterAll(() => rm(folder, { recursive: true }))

const releaseOf = (name: string): Template => ({
  Resources: {
    UserEventsLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { Code: { S3Key: `${name}.zip` } },
    },
    [`Version${name}`]: { Type: 'AWS::Lambda::Version', Properties: { Description: name } },
    UserEventsLiveAlias: {
      Type: 'AWS::Lambda::Alias',
      Properties: { FunctionVersion: { 'Fn::GetAtt': [`Version${name}`, 'Version'] } },
    },
  },
})
const A = releaseOf('A')
const B = releaseOf('B')

interface Stack {
  deployed?: Template
  status?: string
  code?: string
  liveVersion?: string
  force?: boolean
}

/**
 * Whether the deployment of release B is skipped, or the reason why it is not. The framework itself would skip B,
 * because the last upload was B.
 */
async function deployB({
  deployed = B,
  status = 'UPDATE_COMPLETE',
  code = ZIP,
  liveVersion = '2',
  force = false,
}: Stack) {
  const answers: Record<string, object> = {
    GetTemplate: { TemplateBody: JSON.stringify(deployed) },
    DescribeStacks: { Stacks: [{ StackStatus: status }] },
    DescribeStackResource: { StackResourceDetail: { PhysicalResourceId: 'arn:aws:lambda:::function:f:2' } },
    GetAlias: { FunctionVersion: liveVersion },
    GetFunctionConfiguration: { CodeSha256: hashOf(code) },
  }
  const aws = await startRecordingAws(({ name }) => answers[name])
  const provider = { compiledCloudFormationTemplate: B, shouldNotDeploy: true }
  const { hooks } = deployWhatDiffers(
    {
      serviceDir: folder,
      service: {
        getAllFunctions: () => ['userEvents'],
        getFunction: name => ({ name: `blockchain-events-prod-${name}` }),
        provider,
      },
      getProvider: () => ({
        getStage: () => 'prod',
        getAwsSdkV3Config: async () => aws.config,
        naming: { getStackName: () => 'blockchain-events-prod' },
      }),
      classes: { Error },
    },
    { force },
  )
  const refusal = await hooks['after:aws:deploy:deploy:checkForChanges']().then(
    () => undefined,
    error => (error as Error).message,
  )
  await aws.stop()
  return refusal ?? provider.shouldNotDeploy
}

test('a release that is deployed is skipped', async () => {
  expect(await deployB({})).toBe(true)
})

test.each([
  ['the stack was rolled back to the release before', { deployed: A }],
  ['the update was undone', { status: 'UPDATE_ROLLBACK_COMPLETE' }],
  ['a function has other code than the stack says', { code: 'something by hand' }],
])('the last upload is deployed again where %s', async (_, stack) => {
  expect(await deployB(stack)).toBe(false)
})

test('a release from which traffic was led away is not called deployed', async () => {
  expect(await deployB({ liveVersion: '1' })).toBe(
    'The stack has this version already, and blockchain-events-prod-userEvents was shifted back from version 2 to 1. To shift the traffic to it again: npm run rollback -- --stage prod --to stack',
  )
})

test('what is forced is left to the framework', async () => {
  expect(await deployB({ force: true })).toBe(true)
})
