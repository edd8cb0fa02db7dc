import type { Interceptor } from './fault-proxy.ts'
import {
  halfAnswer,
  internalError,
  jsonAnswer,
  lostAnswer,
  operationOf,
  reset,
  slow,
  status,
  throttled,
} from './faults.ts'

const JSON_1_0 = { 'content-type': 'application/x-amz-json-1.0' }

export const hanging: Interceptor = async () => 'hang'

export const stalled: Interceptor = async (_, forward) => ({ stalled: await forward() })

const cutJson: Interceptor = async (_, forward) => {
  const answer = await forward()
  return { ...answer, body: answer.body.subarray(0, answer.body.length - 5) }
}

const withoutItems: Interceptor = async (_request, forward) => {
  const { status, body } = await forward()
  const { Items: _, Responses: __, Item: ___, ConsumedCapacity: ____, ...rest } = JSON.parse(String(body))
  return jsonAnswer(status, rest, JSON_1_0)
}

interface BatchGet {
  RequestItems: Record<string, { Keys: unknown[] }>
}

/** DynamoDB leaves half of a BatchGetItem's keys (at least one key) unprocessed. */
const unprocessedKeys: Interceptor = async (request, forward) => {
  if (operationOf(request) !== 'BatchGetItem') return throttled(request, forward)
  const { RequestItems, ...rest } = JSON.parse(request.body) as BatchGet
  const [tableName = '', { Keys } = { Keys: [] }] = Object.entries(RequestItems)[0] ?? []
  const left = Keys.slice(0, Math.ceil(Keys.length / 2))
  const done = Keys.slice(left.length)
  const unprocessed = { UnprocessedKeys: { [tableName]: { Keys: left } } }
  if (done.length === 0) return jsonAnswer(200, { Responses: { [tableName]: [] }, ...unprocessed }, JSON_1_0)
  const answer = await forward(JSON.stringify({ ...rest, RequestItems: { [tableName]: { Keys: done } } }))
  return jsonAnswer(200, { ...JSON.parse(answer.body.toString()), ...unprocessed }, JSON_1_0)
}

export const READ_FAULTS: Record<string, Interceptor> = {
  throttled,
  'internal error': internalError,
  '503 from something between': status(503, { headers: { 'content-type': 'text/html' }, body: '<html>' }),
  'connection reset': reset,
  'answer lost': lostAnswer,
  'half an answer': halfAnswer,
  'answer stalls': stalled,
  'answer cut short': cutJson,
  'answer without its items': withoutItems,
  'empty answer': status(200, { headers: JSON_1_0, body: {} }),
  'answer of something else': status(200, { headers: { 'content-type': 'text/html' }, body: '<html>' }),
  'keys unprocessed': unprocessedKeys,
  'slow answer': slow(150),
  'no answer': hanging,
}
