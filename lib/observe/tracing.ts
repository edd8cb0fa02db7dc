import { Tracer } from '@aws-lambda-powertools/tracer'
import type { TraceOptions } from './trace-options.ts'

/** Runs a call, and adds it to the trace of the current invocation. */
export type TraceCall = <Result>(call: () => Promise<Result>) => Promise<Result>

// The client's own calls are captured one by one, with the names of tables and indexes but no values.
const tracer = new Tracer({ captureHTTPsRequests: false })
/** Stands for Lambda's own part of the trace, whichever invocation it is. */
const invocation = tracer.getSegment()

/** Begins to trace the client's calls; they appear below the call in which they are made. */
export function startTracing({ name, client }: TraceOptions): TraceCall {
  if (client) tracer.captureAWSv3Client(client)
  const { provider } = tracer
  const traceCall = <Result>(call: () => Promise<Result>): Promise<Result> =>
    provider.captureAsyncFunc(name, async part => {
      try {
        tracer.addServiceNameAnnotation()
        return await call()
      } catch (error) {
        tracer.addErrorAsMetadata(error as Error)
        throw error
      } finally {
        part?.close()
      }
    }) as Promise<Result>
  // The SDK expects to be loaded before the first invocation, whose context all others would inherit.
  return call =>
    provider.getNamespace().runPromise(async () => {
      if (invocation) tracer.setSegment(invocation)
      // Middleware that the client has kept from before knows nothing of traces.
      if (client) client.config.cacheMiddleware = false
      try {
        return await traceCall(call)
      } finally {
        if (client) client.config.cacheMiddleware = true
      }
    })
}
