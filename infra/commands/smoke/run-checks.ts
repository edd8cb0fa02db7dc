import type { ServiceOptions } from '../shared/service-requests.ts'
import { ANSWER_CHECKS } from './check-answers.ts'
import { MANNER_CHECKS } from './check-manners.ts'
import { serviceAt } from './service.ts'

export interface CheckResult {
  name: string
  passed: boolean
  /** What was found, or what is wrong. */
  found: string
  durationMs: number
}

/** Checks the service at that address from outside, one thing after the other, and tells of each. */
export async function* runChecks(
  baseUrl: string,
  options: ServiceOptions,
): AsyncGenerator<CheckResult, void, undefined> {
  const service = serviceAt(baseUrl, options)
  for (const { name, run } of [...ANSWER_CHECKS, ...MANNER_CHECKS]) {
    const startedAt = performance.now()
    const outcome = await run(service).then(
      found => ({ passed: true, found }),
      error => ({ passed: false, found: messageOf(error) }),
    )
    yield { name, ...outcome, durationMs: performance.now() - startedAt }
  }
}

/** What fetch itself says is never more than that it failed. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return message === 'fetch failed' && cause instanceof Error ? cause.message : message
}
