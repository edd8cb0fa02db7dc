import type { ServiceOptions } from '../../../lib/kit/service-requests.ts'
import { ANSWER_CHECKS } from './check-answers.ts'
import { MANNER_CHECKS } from './check-manners.ts'
import { type Check, serviceAt } from './service.ts'

export interface CheckResult {
  name: string
  passed: boolean
  /** The findings, or the failure. */
  found: string
  durationMs: number
}

/** The checks for every service. */
export const SERVICE_CHECKS: Check[] = [...ANSWER_CHECKS, ...MANNER_CHECKS]

/** Runs the checks against a service, one after the other, and yields each result. */
export async function* runChecks(
  baseUrl: string,
  { checks, ...options }: ServiceOptions & { checks: Check[] },
): AsyncGenerator<CheckResult, void, undefined> {
  const service = serviceAt(baseUrl, options)
  for (const { name, run } of checks) {
    const startedAt = performance.now()
    const outcome = await run(service).then(
      found => ({ passed: true, found }),
      error => ({ passed: false, found: messageOf(error) }),
    )
    yield { name, ...outcome, durationMs: performance.now() - startedAt }
  }
}

/**
 * Returns an error's message. For an error of `fetch`, returns the message of its cause, because its own message only
 * says that the request failed.
 */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return message === 'fetch failed' && cause instanceof Error ? cause.message : message
}
