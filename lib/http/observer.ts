import type { Resource } from '../query/endpoints.ts'
import type { RequestCost } from '../query/request-cost.ts'
import type { ProblemKind } from './problems.ts'

interface Answered {
  records: { length: number }
  isPartial: boolean
  plan: { read: string }
  cost: RequestCost
}

/**
 * Receives the outcome of each call to a function, for logs and metrics. Headers, bodies and parameter values are not
 * passed on, but the error for a corrupt row names the row's list, and this name may contain a user's address.
 */
export interface Observer {
  /** The call was answered, possibly without any events. */
  answered(answer: Answered, call: ObservedCall): void
  /** The status is below 500: for example, the request is invalid, or its block is not indexed yet. */
  refused(call: ObservedCall, problem?: ProblemKind): void
  /** The call failed because of a fault in the service or its table. */
  failed(error: unknown, call: ObservedCall): void
}

export interface ObservedCall {
  /** Undefined if the path belongs to no endpoint. */
  endpoint: Resource | undefined
  status: number | 'direct'
  requestId: string
  durationMs: number
  isSmokeCheck?: boolean
}
