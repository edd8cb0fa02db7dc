import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface LambdaApi {
  /** Maps each function's name in AWS Lambda to its key in serverless.yml. */
  keys: ReadonlyMap<string, string>
  invoke(functionKey: string, event: object): Promise<unknown>
}

const INVOCATIONS = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/

/** Answers the SDK's `Invoke` requests: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
export function lambdaApi({ keys, invoke }: LambdaApi): RequestListener {
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const name = nameIn(request)
    const key = keys.get(name)
    if (key === undefined) {
      const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' }
      return send(response, { status: 404, headers, body: { Message: `Function not found: ${name}` } })
    }
    const result = invoke(key, JSON.parse((await text(request)) || '{}'))
    if (request.headers['x-amz-invocation-type'] === 'Event') {
      // The error is ignored, because `invoke` has already logged it, and no caller waits for the result.
      result.catch(() => undefined)
      return send(response, { status: 202 })
    }
    return result.then(
      body => send(response, { body: body ?? null }),
      error => send(response, { headers: { 'x-amz-function-error': 'Unhandled' }, body: bodyOf(error) }),
    )
  }

  return (request, response) => {
    answer(request, response).catch(error => {
      const headers = { 'x-amzn-errortype': 'InvalidRequestContentException' }
      send(response, { status: 400, headers, body: { Message: String(error) } })
    })
  }
}

function nameIn({ method, url = '' }: IncomingMessage): string {
  const [, name = ''] = INVOCATIONS.exec(url) ?? []
  return method === 'POST' ? decodeURIComponent(name) : ''
}

const bodyOf = ({ name, message, stack = '' }: Error) => ({
  errorType: name,
  errorMessage: message,
  trace: stack.split('\n'),
})

interface Sent {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Sent) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
