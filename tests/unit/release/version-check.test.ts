import { LambdaClient } from '@aws-sdk/client-lambda'
import { createVersionCheck } from '../../../lib/release/create-version-check.ts'
import { listen } from '../../support/http/listen.ts'
import { startRecordingAws } from '../../support/programs/recording-aws.ts'

const ANSWER = { events: [{}] }
const EMPTY = { errorType: 'SmokeCheckFailed', errorMessage: 'nothing' }
const ABSENT = { error: 'ResourceNotFoundException', message: 'Function not found' }
const BROKEN = { errorType: 'Runtime.ImportModuleError', errorMessage: 'no module' }
const DENIED = { error: 'AccessDeniedException', message: 'no' }
const SENT = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Check' }

/** Checks version 2, and returns what CloudFormation receives: the method, the content type and the body. */
async function check(
  replies: { new: object; live?: object },
  RequestType: 'Create' | 'Update' | 'Delete' = 'Create',
) {
  const aws = await startRecordingAws(({ input }) =>
    input.Qualifier === 'live' ? replies.live : replies.new,
  )
  const responses: unknown[] = []
  const cloudFormation = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, headers } = request
    responses.push([method, headers['content-type'], JSON.parse(String(Buffer.concat(chunks)))])
    response.end()
  })
  const lambda = new LambdaClient({ ...aws.config, maxAttempts: 1 })
  const handler = createVersionCheck({ lambda, liveAlias: 'live' })
  const questions = [{ functionName: 'f', qualifier: '2', payload: '{"smoke":true}' }]
  const properties = { ResponseURL: cloudFormation.baseUrl, ResourceProperties: { questions } }
  await handler({ ...SENT, RequestType, ...properties })
  await Promise.all([aws.stop(), cloudFormation.stop()])
  return responses
}

const response = (Status: string, Reason = '') => [
  ['PUT', undefined, { ...SENT, PhysicalResourceId: 'Check', Status, Reason }],
]

test.each<[string, Parameters<typeof check>[0], 'Create' | 'Update' | 'Delete']>([
  ['answers', { new: ANSWER }, 'Create'],
  ['finds no events, like the live version', { new: EMPTY, live: EMPTY }, 'Create'],
  ['finds no events, while the live version fails', { new: EMPTY, live: { errorType: 'Error' } }, 'Create'],
  ['fails, but has no live version', { new: BROKEN, live: ABSENT }, 'Create'],
  ['existed before', { new: BROKEN, live: ANSWER }, 'Update'],
  ['is removed', { new: BROKEN, live: ANSWER }, 'Delete'],
])('a version that %s is not refused', async (_, replies, type) => {
  expect(await check(replies, type)).toEqual(response('SUCCESS'))
})

test.each([
  ['fails', { new: BROKEN, live: ANSWER }, 'fails: Runtime.ImportModuleError: no module'],
  ['fails like the live one', { new: BROKEN, live: BROKEN }, 'fails: Runtime.ImportModuleError: no module'],
  ['lacks events', { new: EMPTY, live: ANSWER }, 'finds no events, although the live version finds some'],
  ['cannot be invoked', { new: DENIED, live: ANSWER }, 'fails: it could not be invoked (no)'],
])('a version that %s receives none, and the reason names its log', async (_, replies, problem) => {
  expect(await check(replies)).toEqual(
    response('FAILED', `f 2 ${problem} (log group /aws/lambda/f, streams with [2])`),
  )
})

test('a reason is no longer than CloudFormation accepts', async () => {
  const long = { errorType: 'Error', errorMessage: 'x'.repeat(10_000) }
  const [answer] = (await check({ new: long, live: ANSWER })) as [unknown, unknown, { Reason: string }][]

  expect(answer?.[2].Reason.length).toBe(3000)
})
