import type { Template } from './template.ts'

/** The functions whose traffic is shifted. Each value is the prefix of the function's names in the template. */
export const SHIFTED_FUNCTIONS = {
  userEvents: 'UserEvents',
  tokenEvents: 'TokenEvents',
  changes: 'Changes',
} as const

export type ShiftedFunction = keyof typeof SHIFTED_FUNCTIONS

/** The name of the alias through which routes and schedules call a function. */
export const LIVE_ALIAS = 'live'

export const aliasResource = (key: ShiftedFunction): string => `${SHIFTED_FUNCTIONS[key]}LiveAlias`

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
