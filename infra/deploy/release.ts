const DESCRIPTION = /^Release (?<release>[\da-f]{8})$/

/** The description of all versions that belong to a release. */
export const describeRelease = (release: string): string => `Release ${release}`

/** Reads the release from a version's description. Undefined if the version is older than release names. */
export const readRelease = (description = ''): string | undefined =>
  DESCRIPTION.exec(description)?.groups?.release
