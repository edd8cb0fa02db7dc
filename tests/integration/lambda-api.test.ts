import path from 'node:path'
import { lambdaApi } from '../../infra/local/gateway/lambda-api.ts'
import { localFunctions } from '../../infra/local/gateway/local-functions.ts'
import { listen, useListening } from '../support/http/listen.ts'
import { useTextFiles } from '../support/programs/text-files.ts'
import { until } from '../support/runner/until.ts'

const { jest } = import.meta
const writeText = useTextFiles()

/** A bundle in the form that esbuild writes. The bundle reads its environment when it is loaded. */
const BUNDLE = `
const { GREETING } = process.env
class WrongPayloadError extends Error { name = 'WrongPayloadError' }
exports.handler = async (event, context) => {
  if (event.wrong) throw new WrongPayloadError('that is wrong')
  if (event.hangs) return new Promise(() => {})
  return { GREETING, event, name: context.functionName, hasTime: context.getRemainingTimeInMillis() > 0 }
}`

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
const api = useListening(async () => {
  const file = await writeText('greet.cjs', BUNDLE)
  const definition = { handler: 'greet.handler', environment: { GREETING: 'hello' } }
  const invoke = localFunctions(
    {
      greet: { ...definition, name: 'service-greet', timeoutSeconds: 60 },
      brief: { ...definition, name: 'service-brief', timeoutSeconds: 0.01 },
    },
    path.dirname(file),
  )
  const keys = new Map(['greet', 'brief'].map(name => [`service-${name}`, name]))
  return listen(lambdaApi({ keys, invoke }))
})
afterEach(() => jest.restoreAllMocks())

async function invoke(name: string, payload: string, headers: Record<string, string> = {}) {
  const url = `${api.baseUrl}/2015-03-31/functions/${name}/invocations`
  const response = await fetch(url, { method: 'POST', body: payload, headers })
  const text = await response.text()
  const failed = response.headers.get('x-amz-function-error')
  return { status: response.status, failed, body: text && JSON.parse(text) }
}

const logged = (message: string) =>
  jest.mocked(console.error).mock.calls.some(([error]) => (error as Error).message === message)

test('a function answers with its result, in its own environment', async () => {
  const { status, failed, body } = await invoke('service-greet', '{"a":[1]}')

  expect({ status, failed }).toEqual({ status: 200, failed: null })
  expect(body).toEqual({ GREETING: 'hello', event: { a: [1] }, name: 'service-greet', hasTime: true })
  expect((await invoke('service-greet', '')).body.event).toEqual({})
})

test('a function that fails is named with its error, and the log says why', async () => {
  expect(await invoke('service-greet', '{"wrong":true}')).toMatchObject({
    status: 200,
    failed: 'Unhandled',
    body: { errorType: 'WrongPayloadError', errorMessage: 'that is wrong' },
  })
  expect(console.error).toHaveBeenLastCalledWith(expect.objectContaining({ message: 'that is wrong' }))
})

test('a function that takes longer than it may has failed', async () => {
  expect(await invoke('service-brief', '{"hangs":true}')).toMatchObject({
    failed: 'Unhandled',
    body: { errorMessage: 'Task timed out after 0.01 seconds' },
  })
})

test('nobody waits for an invocation as an event, whatever becomes of it', async () => {
  const asEvent = { 'x-amz-invocation-type': 'Event' }

  expect(await invoke('service-brief', '{"hangs":true}', asEvent)).toMatchObject({ status: 202, body: '' })
  expect(await invoke('service-greet', '{"wrong":true}', asEvent)).toMatchObject({ status: 202, body: '' })
  await until(() => logged('Task timed out after 0.01 seconds') && logged('that is wrong'))
})

test.each([
  ['a function that there is not', 'service-other', '{}', 404],
  ['a payload that is no JSON', 'service-greet', '{', 400],
])('%s is refused', async (_, name, payload, status) => {
  expect((await invoke(name, payload)).status).toBe(status)
})
