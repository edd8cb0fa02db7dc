export interface PublishedVersion {
  version: string
  /** The name of the release. All versions that were published together have this name. */
  release: string | undefined
  tableName: string | undefined
}

export interface FunctionVersions {
  functionName: string
  /** The versions in order of publication. */
  versions: PublishedVersion[]
  liveVersion: string
  /** The share of the traffic of each version other than `liveVersion`. */
  weights: Record<string, number>
  /** The version to which the stack's template points the alias. */
  stackVersion: string | undefined
}

export interface Move {
  functionName: string
  from: string
  to: PublishedVersion
  /** Whether the alias already sends all traffic to the target. */
  isDone: boolean
}

/**
 * Returns the target version of each alias. All target versions are of one release. Without `to`, this is the release
 * before the newest release with traffic. After a rollback it is the live release, so a repeated rollback moves
 * nothing. Throws an error if the target does not exist.
 */
export function decideRollback(functions: FunctionVersions[], to?: string): Move[] {
  const release = to === undefined ? releaseBefore(functions) : undefined
  const stays = to === undefined && functions.every(isRolledBack)
  const moves = functions.map(each => {
    const target = findTarget(each, stays ? each.liveVersion : (to ?? release))
    if (!target) throw new Error(explainMissing(functions, { functionName: each.functionName, to }))
    const { functionName, liveVersion, weights } = each
    const isDone = liveVersion === target.version && Object.keys(weights).length === 0
    return { functionName, from: liveVersion, to: target, isDone }
  })
  const releases = new Set(moves.map(move => move.to.release))
  if (to !== 'stack' && releases.size > 1) {
    throw new Error(`${to ?? 'The version before'} is not one release.\n${listReleases(functions)}`)
  }
  return moves
}

function findTarget(
  { versions, stackVersion, ...live }: FunctionVersions,
  to: string | undefined,
): PublishedVersion | undefined {
  if (to === 'stack') return versions.find(({ version }) => version === stackVersion)
  if (to === undefined) return versions.findLast(({ version }) => Number(version) < newestLive(live))
  return versions.findLast(({ release }) => release === to) ?? versions.find(({ version }) => version === to)
}

/** Whether all traffic goes to a version that is older than the stack's version. */
const isRolledBack = ({ liveVersion, weights, stackVersion }: FunctionVersions) =>
  Object.keys(weights).length === 0 && Number(liveVersion) < Number(stackVersion)

const newestLive = ({ liveVersion, weights }: Pick<FunctionVersions, 'liveVersion' | 'weights'>) =>
  Math.max(...[liveVersion, ...Object.keys(weights)].map(Number))

/**
 * Returns the release before the newest release with traffic. Returns undefined if the earlier versions have no release
 * name. The target of each function is then the function's previous version.
 */
function releaseBefore(functions: FunctionVersions[]): string | undefined {
  const [first] = functions
  if (!first) return undefined
  const orderOf = (release: string | undefined) =>
    first.versions.findLastIndex(each => each.release === release)
  const live = functions.map(
    each => each.versions.find(({ version }) => Number(version) === newestLive(each))?.release,
  )
  const newest = live.reduce((one, other) => (orderOf(other) > orderOf(one) ? other : one))
  return first.versions.slice(0, Math.max(0, orderOf(newest))).findLast(each => each.release !== newest)
    ?.release
}

function explainMissing(
  functions: FunctionVersions[],
  { functionName, to }: { functionName: string; to: string | undefined },
): string {
  const missing =
    to === undefined ? `${functionName} has no version before` : `${functionName} has no version ${to}`
  return `${missing}.\n${listReleases(functions)}`
}

/** Returns a line for each version of each function, the newest version first. */
function listReleases(functions: FunctionVersions[]): string {
  return functions
    .flatMap(({ functionName, versions, liveVersion }) =>
      versions
        .toReversed()
        .map(
          ({ version, release = 'without a name' }) =>
            `  ${functionName} ${version}, release ${release}${version === liveVersion ? ', live' : ''}`,
        ),
    )
    .join('\n')
}
