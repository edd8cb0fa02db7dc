import type { Serverless } from '../../infra/deploy/framework.ts'
import refuseStackRemoval from '../../infra/deploy/refuse-stack-removal.ts'
import { type AwsAnswer, startRecordingAws } from '../support/programs/recording-aws.ts'

interface Removal {
  stage?: string
  /** Whether the command has the option `--stage`. */
  isNamed?: boolean
  settings?: Record<string, unknown>
  param?: string[]
  stack?: AwsAnswer
}

const NO_STACK = { error: 'ValidationError', message: 'Stack with id x does not exist' }
const stackWith = (EnableTerminationProtection: boolean) => ({
  Stacks: [{ StackName: 'blockchain-events-prod', EnableTerminationProtection }],
})

async function remove({ stage = 'prod', isNamed = true, settings = {}, param, stack = NO_STACK }: Removal) {
  const aws = await startRecordingAws(({ name }) => (name === 'DescribeStacks' ? stack : {}))
  const notices: string[] = []
  const defaults = { tableDeletionPolicy: 'Delete', indexConfigParameter: '/i', otherConfigParameter: '/p' }
  const { hooks } = refuseStackRemoval(
    {
      configurationInput: { params: { default: defaults, [stage]: settings } },
      getProvider: () => ({
        getStage: () => stage,
        getAwsSdkV3Config: async () => aws.config,
        naming: { getStackName: () => `blockchain-events-${stage}` },
      }),
      classes: { Error },
    } as unknown as Serverless,
    { ...(isNamed && { stage }), ...(param && { param }) },
    { log: { notice: text => notices.push(text) } },
  )
  const refusal = await hooks['before:remove:remove']().then(
    () => 'none',
    error => (error as Error).message,
  )
  if (refusal === 'none') await hooks['after:remove:remove']()
  await aws.stop()
  return { refusal, notices, calls: aws.calls }
}

const RETAIN = { tableDeletionPolicy: 'Retain' }
const STAYS = ['deletion policy is Retain or if it was adopted', 'Log groups', '/i and /p']

test.each([
  ['the settings retain its table', { settings: RETAIN, stack: stackWith(false) }],
  ['its stack is protected, and no setting says why', { stack: stackWith(true) }],
  ['it is named wrongly', { settings: RETAIN, param: ['remove=staging'] }],
])('a stage is not removed where %s, and the refusal says what stays', async (_, removal) => {
  const { refusal, calls } = await remove(removal)

  expect(refusal).toContain('This would remove blockchain-events-prod:')
  expect(refusal).toContain('its AWS address would be lost permanently')
  for (const part of ['--param "remove=prod"', ...STAYS]) expect(refusal).toContain(part)
  expect(calls.map(({ name }) => name)).toEqual(['DescribeStacks'])
})

test('a removal without --stage is refused, because npm does not pass on options without a preceding --', async () => {
  const { refusal, calls } = await remove({ stage: 'dev', isNamed: false, stack: stackWith(false) })

  expect(refusal).toContain('npm run remove -- --stage dev')
  expect(calls).toEqual([])
})

const NAMED = { settings: RETAIN, param: ['remove=prod'] }
const UNPROTECTED = { StackName: 'blockchain-events-prod', EnableTerminationProtection: 'false' }

test.each<[string, Removal, last: object]>([
  [
    'that is named',
    { ...NAMED, stack: stackWith(true) },
    { name: 'UpdateTerminationProtection', input: UNPROTECTED },
  ],
  ['whose table goes with it', { stage: 'pr-17', stack: stackWith(false) }, { name: 'DescribeStacks' }],
  ['without a stack', { stage: 'pr-17', stack: NO_STACK }, { name: 'DescribeStacks' }],
])(
  'a stage %s is removed, without the protection of its stack, and what stays is named',
  async (_, removal, last) => {
    const { refusal, notices, calls } = await remove(removal)

    expect(refusal).toBe('none')
    expect(calls.at(-1)).toMatchObject(last)
    for (const part of STAYS) expect(notices.join()).toContain(part)
  },
)
