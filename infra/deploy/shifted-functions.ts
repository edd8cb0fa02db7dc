import type { Template } from './template.ts'

/** The functions whose traffic is shifted. Each value is the prefix of the function's resources in the template. */
export const SHIFTED_FUNCTIONS = {
  userEvents: 'UserEvents',
  tokenEvents: 'TokenEvents',
  changes: 'Changes',
} as const

export type ShiftedFunction = keyof typeof SHIFTED_FUNCTIONS

export const SHIFTED_NAMES = Object.keys(SHIFTED_FUNCTIONS) as ShiftedFunction[]

/** The name of the alias through which routes and schedules call a function. */
export const LIVE_ALIAS = 'live'

export const aliasResource = (key: ShiftedFunction): string => `${SHIFTED_FUNCTIONS[key]}LiveAlias`

/**
 * `part` is the prefix of the function's resources in the template. Returns undefined if the function has no schedule.
 */
export function readSmokePayload({ Resources }: Template, part: string): string | undefined {
  const { Targets = [] } = (Resources[`${part}EventsRuleSchedule1`]?.Properties ?? {}) as {
    Targets?: { Input?: string }[]
  }
  return Targets[0]?.Input
}

/** The versions of the query functions that were published together form a release. */
export interface Release {
  release: string
  /** The version of the service, with the date and the hash of the commit. */
  version: string | undefined
  /** The release that had all traffic when this release was deployed. */
  after?: string
}

const DESCRIPTION = /\bRelease (?<release>[\da-f]{8}) of (?<version>\S+?)(?:, after (?<after>[\da-f]{8}))?$/

/**
 * Returns the end of a function's description. It names the release, so that a version, which inherits the description,
 * also names its release.
 */
export const describeRelease = ({ release, version }: Release): string => `Release ${release} of ${version}`

/** Extends a description with the release that has all traffic, so that a rollback can return to that release. */
export const describeAfter = (description: unknown, after: string): string => `${description}, after ${after}`

export const readRelease = (description = ''): Partial<Release> => ({
  ...DESCRIPTION.exec(description)?.groups,
})
