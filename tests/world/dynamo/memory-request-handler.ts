import { type HttpRequest, HttpResponse } from '@smithy/core/transport'
import { DynamoError } from './dynamo-error.ts'

const decoder = new TextDecoder()

export interface RequestHandlerOptions {
  /** An operation is a name such as `GetItem`. Errors other than `DynamoError` reach the caller unchanged. */
  execute: (operation: string, input: object) => Promise<object> | object
}

export interface WireAnswer {
  statusCode: number
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Creates a request handler for SDK clients that calls a function instead of sending requests over the network. The
 * handler uses neither sockets nor timers, so the order of answers is the same on every machine.
 */
export const createMemoryRequestHandler = ({ execute }: RequestHandlerOptions) =>
  createHandler(
    async ({ headers, body }: HttpRequest) =>
      new HttpResponse(await answerWith(execute, { target: headers['x-amz-target'] ?? '', body })),
  )

export const createHandler = <Request, Response>(respond: (request: Request) => Promise<Response>) => ({
  metadata: { handlerProtocol: 'memory' },
  async handle(request: Request, { abortSignal }: { abortSignal?: { aborted: boolean } } = {}) {
    if (abortSignal?.aborted) throw abortError()
    const response = respond(request)
    return { response: await (abortSignal ? unlessAborted(response, abortSignal) : response) }
  },
  destroy() {},
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
})

/** `target` is the header `X-Amz-Target`, such as `DynamoDB_20120810.GetItem`. */
export async function answerWith(
  execute: RequestHandlerOptions['execute'],
  { target, body }: { target: string; body: string | Uint8Array },
): Promise<WireAnswer> {
  const operation = target.split('.')[1] ?? ''
  return orError(async () => {
    const text = typeof body === 'string' ? body : decoder.decode(body)
    return wireAnswer(200, await execute(operation, JSON.parse(text)))
  })
}

export async function orError<Answer>(answer: () => Promise<Answer>): Promise<Answer | WireAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof DynamoError)) throw error
    const { __type, message, status } = error
    return wireAnswer(status, { __type, message })
  }
}

const wireAnswer = (statusCode: number, answer: object): WireAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(answer)),
})

/** Rejects as soon as the signal aborts, even if the request is still pending. */
function unlessAborted<Answer>(answer: Promise<Answer>, signal: object): Promise<Answer> {
  const target = signal as AbortSignal
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(abortError())
  target.addEventListener('abort', abort)
  return Promise.race([answer, aborted.promise]).finally(() => target.removeEventListener('abort', abort))
}

const abortError = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' })
