import { isRequestXRaySampled } from '@aws-lambda-powertools/commons/utils/env'
import type { Context } from 'aws-lambda'
import type { TraceOptions } from './trace-options.ts'
import type { TraceCall } from './tracing.ts'

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>

/**
 * Adds to the trace of a sampled invocation how long the handler took, and each call to the table. The
 * X-Ray SDK takes half as long to load as all the rest, so it stands in a file of its own that is loaded
 * by the first sampled invocation after the one that started the function.
 */
export function traceHandler<Event, Result>(
  handler: Handler<Event, Result>,
  options: TraceOptions,
): Handler<Event, Result> {
  let isFirst = true
  let loading: Promise<TraceCall> | undefined
  return async (event, context) => {
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst || !isRequestXRaySampled()) return handler(event, context)
    loading ??= import('./tracing.ts').then(({ startTracing }) => startTracing(options))
    const trace = await loading.catch(() => undefined)
    // A request is not lost for want of a trace.
    if (!trace) loading = undefined
    return trace ? trace(() => handler(event, context)) : handler(event, context)
  }
}
