import { CodeDeployClient } from '@aws-sdk/client-codedeploy'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { createVersionCheck } from '../../../lib/release/create-version-check.ts'
import { readQuestions } from '../../../lib/release/read-questions.ts'
import { startRecordingAws } from '../../support/programs/recording-aws.ts'

const EVENT = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook' }
const ANSWER = { events: [{}] }
const EMPTY = { errorType: 'SmokeCheckFailed', errorMessage: 'nothing' }

/** The problems that the check finds in version 2 of a function, and the status that the check sends to CodeDeploy. */
async function check(replies: { new: object; live?: object }) {
  const aws = await startRecordingAws(({ name, input }) => {
    if (name !== 'Invoke') return {}
    return input.Qualifier === 'live' ? replies.live : replies.new
  })
  const handler = createVersionCheck({
    lambda: new LambdaClient({ ...aws.config, maxAttempts: 1 }),
    codeDeploy: new CodeDeployClient(aws.config),
    questions: [{ functionName: 'f', qualifier: '2', payload: '{"smoke":true}' }],
    liveAlias: 'live',
    log: () => undefined,
  })
  const problems = await handler(EVENT)
  await aws.stop()
  const verdict = aws.calls.find(({ name }) => name === 'PutLifecycleEventHookExecutionStatus')
  return { problems, verdict: verdict?.input }
}

const verdict = (status: string) => ({ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook', status })

test.each([
  ['answers', { new: ANSWER }],
  ['finds as little as the live one', { new: EMPTY, live: EMPTY }],
  ['finds nothing, where the live one fails', { new: EMPTY, live: { errorType: 'Error' } }],
])('a version that %s receives traffic', async (_, replies) => {
  expect(await check(replies)).toEqual({ problems: [], verdict: verdict('Succeeded') })
})

test.each([
  [
    'fails',
    { new: { errorType: 'Runtime.ImportModuleError', errorMessage: 'no module' } },
    'f:2 fails: Runtime.ImportModuleError: no module',
  ],
  [
    'finds nothing where the live one does',
    { new: EMPTY, live: ANSWER },
    'f:2 finds nothing, and the live version does',
  ],
  [
    'cannot be asked',
    { new: { error: 'AccessDeniedException', message: 'no' } },
    'f:2 could not be asked: no',
  ],
])('a version that %s receives none', async (_, replies, problem) => {
  expect(await check(replies)).toEqual({ problems: [problem], verdict: verdict('Failed') })
})

test('the environment names versions by their ARNs, beside what Lambda has there', () => {
  const environment = {
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    USER_EVENTS_VERSION: 'arn:aws:lambda:eu-west-1:1:function:blockchain-events-prod-userEvents:7',
    USER_EVENTS_PAYLOAD: '{}',
  }

  expect(readQuestions(environment)).toEqual([
    { functionName: 'blockchain-events-prod-userEvents', qualifier: '7', payload: '{}' },
  ])
  expect(() => readQuestions({})).toThrow('names no version')
  expect(() => readQuestions({ ...environment, USER_EVENTS_VERSION: 'arn:aws:lambda:::function:f' })).toThrow(
    'USER_EVENTS_VERSION is not the ARN of a version',
  )
})
