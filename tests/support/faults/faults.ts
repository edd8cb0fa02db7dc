import { setTimeout } from 'node:timers/promises'
import type { Interceptor, ProxiedRequest } from './fault-proxy.ts'

export const pass: Interceptor = (_, forward) => forward()

/** The connection breaks before the request arrives. */
export const reset: Interceptor = async () => 'reset'

/** The request takes effect, but the connection breaks before the response. */
export const lostAnswer: Interceptor = async (_, forward) => {
  await forward()
  return 'reset'
}

export const halfAnswer: Interceptor = async (_, forward) => ({ half: await forward() })

export const slow =
  (ms: number): Interceptor =>
  async (_, forward) => {
    const answer = await forward()
    await setTimeout(ms, undefined, { ref: false })
    return answer
  }

/** The proxy responds with this status, so the request never reaches the server. */
export const status =
  (
    code: number,
    { headers = {}, body = {} }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Interceptor =>
  async () =>
    jsonAnswer(code, body, headers)

export const jsonAnswer = (code: number, body: unknown, headers: Record<string, string> = {}) => ({
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
})

export const throttled = dynamoDbError(400, 'ProvisionedThroughputExceededException')
export const internalError = dynamoDbError(500, 'InternalServerError')

function dynamoDbError(code: number, name: string): Interceptor {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'as arranged' }
  return status(code, { headers: { 'content-type': 'application/x-amz-json-1.0' }, body })
}

interface BatchWrite {
  RequestItems: Record<string, unknown[]>
}

/** Leaves `leftOf(n)` of the n writes in a BatchWriteItem unprocessed. Other requests succeed. */
export const unprocessed =
  (leftOf: (writes: number) => number): Interceptor =>
  async (request, forward) => {
    if (operationOf(request) !== 'BatchWriteItem') return forward()
    const { RequestItems, ...rest } = JSON.parse(request.body) as BatchWrite
    const [tableName = '', writes = []] = Object.entries(RequestItems)[0] ?? []
    const left = writes.slice(0, leftOf(writes.length))
    const done = writes.slice(left.length)
    const answer =
      done.length === 0
        ? jsonAnswer(200, {}, { 'content-type': 'application/x-amz-json-1.0' })
        : await forward(JSON.stringify({ ...rest, RequestItems: { [tableName]: done } }))
    if (answer.status !== 200) return answer
    const body = { ...JSON.parse(answer.body.toString()), UnprocessedItems: { [tableName]: left } }
    return jsonAnswer(200, body, { 'content-type': 'application/x-amz-json-1.0' })
  }

export const operationOf = ({ headers }: ProxiedRequest): string | undefined =>
  String(headers['x-amz-target']).split('.')[1]

const WRITES = new Set(['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'])

export const isWrite = (request: ProxiedRequest): boolean => WRITES.has(operationOf(request) ?? '')
