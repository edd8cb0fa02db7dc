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
