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

/** A release is the versions of the query functions that were published together. */
export interface Release {
  release: string
  /** The version of the service, with the date and the name of the commit. */
  version: string | undefined
  /** The release that had all traffic when this one was deployed. */
  after?: string
}

const DESCRIPTION = /\bRelease (?<release>[\da-f]{8}) of (?<version>\S+?)(?:, after (?<after>[\da-f]{8}))?$/

/** The end of the description of a function, and so of the version that is published from it. */
export const describeRelease = ({ release, version }: Release): string => `Release ${release} of ${version}`

/** Adds the release that has all traffic to a description, so that a rollback leads back to it. */
export const describeAfter = (description: unknown, after: string): string => `${description}, after ${after}`

/** Reads the release from a version's description. */
export const readRelease = (description = ''): Partial<Release> => ({
  ...DESCRIPTION.exec(description)?.groups,
})
