import type { Template } from './template.ts'

/**
 * Returns the payload with which a function's schedule makes the smoke check. `part` is the prefix of the function's
 * names in the template. Returns undefined if the function has no schedule.
 */
export function readSmokePayload({ Resources }: Template, part: string): string | undefined {
  const { Targets = [] } = (Resources[`${part}EventsRuleSchedule1`]?.Properties ?? {}) as {
    Targets?: { Input?: string }[]
  }
  return Targets[0]?.Input
}
