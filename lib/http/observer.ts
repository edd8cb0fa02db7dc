import type { Resource } from '../query/endpoint.ts'
import type { RequestCost } from '../query/request-cost.ts'
import type { ProblemKind } from './problems.ts'

/** What is told of an answer. */
interface Answered {
  /** What was returned. */
  records: { length: number }
  isPartial: boolean
  plan: { read: string }
  cost: RequestCost
}

/**
 * Told how each call of a function ended, for logs and metrics; never of headers, bodies or parameters' values. The
 * error for a corrupt row names its list, and so perhaps a user.
 */
export interface Observer {
  /** Events were returned, or none were found. */
  answered(answer: Answered, call: ObservedCall): void
  /** The caller was told what is wrong with the request, or that it came too early. */
  refused(call: ObservedCall, problem?: ProblemKind): void
  /** The call failed for a reason on our side. */
  failed(error: unknown, call: ObservedCall): void
}

export interface ObservedCall {
  /** Undefined for a path that leads to no endpoint. */
  endpoint: Resource | undefined
  /** `direct` for a call that is no HTTP request. */
  status: number | 'direct'
  requestId: string
  durationMs: number
  /** A schedule has called, to see whether its query is answered. */
  isSmokeCheck?: boolean
}
