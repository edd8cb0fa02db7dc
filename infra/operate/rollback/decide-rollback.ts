import type { LiveVersion } from '../../deploy/read-deployed.ts'
import type { Release } from '../../deploy/shifted-functions.ts'

export interface PublishedVersion extends Partial<Release> {
  number: string
  /** When Lambda published the version, in ISO 8601 format. */
  published: string
  tableName: string | undefined
}

export interface FunctionVersions
  extends Pick<LiveVersion, 'functionName' | 'liveVersion' | 'weights' | 'stackVersion'> {
  /** The versions in order of publication. */
  versions: PublishedVersion[]
}

export interface Move {
  functionName: string
  from: string
  to: PublishedVersion
  /** Whether the alias already sends all traffic to the target. */
  isDone: boolean
}

/** Whether an update is in progress. The cleanup phase is ignored, because it only deletes old resources. */
export const isUnderWay = (status: string): boolean => /(?<!COMPLETE_CLEANUP)_IN_PROGRESS$/.test(status)

/**
 * Returns the target version of each alias. All targets belong to one release: with `to: 'stack'`, to the stack's
 * release, and otherwise to a release that has served all traffic and has not been rolled back since. Without `to`, the
 * target is the release before the newest release with traffic. If a rollback, CodeDeploy or CloudFormation has already
 * moved traffic away from a newer release, the target is the live release, so a second rollback moves nothing. If there
 * is no target, throws an error that lists the releases to choose from.
 */
export function decideRollback(
  functions: FunctionVersions[],
  { to, status }: { to: string | undefined; status: string },
): Move[] {
  if (to === 'stack' && isUnderWay(status))
    throw new Error(
      `The stack is being updated (${status}), so its version may not have served all traffic yet: wait until the update has finished`,
    )
  const targetOf = chooseTarget(functions, { to, status })
  return functions.map(each => {
    const { functionName, liveVersion, weights } = each
    const target = targetOf(each)
    if (!target) throw new Error(explainMissing(functions, to))
    const isDone = liveVersion === target.number && Object.keys(weights).length === 0
    return { functionName, from: liveVersion, to: target, isDone }
  })
}

type Choice = (each: FunctionVersions) => PublishedVersion | undefined

function chooseTarget(
  functions: FunctionVersions[],
  { to, status }: { to: string | undefined; status: string },
): Choice {
  if (to === 'stack')
    return ({ versions, stackVersion }) => versions.find(({ number }) => number === stackVersion)
  if (to !== undefined) {
    const named = functions.flatMap(each =>
      offered(each).filter(({ number, release }) => number === to || release === to),
    )
    const [release, ...others] = new Set(named.map(each => each.release))
    return each =>
      others.length > 0 ? undefined : offered(each).find(version => version.release === release)
  }
  const releases = new Set(functions.flatMap(withTraffic).map(({ release }) => release))
  const order = functions[0]?.versions.map(({ release }) => release) ?? []
  const newest = order.findLast(release => releases.has(release))
  const isLedBack = releases.size === 1 && (newest !== order.at(-1) || status.startsWith('UPDATE_ROLLBACK'))
  return each => (isLedBack ? withTraffic(each)[0] : servedBefore(each.versions, newest)[0])
}

const withTraffic = ({ versions, liveVersion, weights }: FunctionVersions) =>
  versions.filter(({ number }) => number === liveVersion || number in weights)

/**
 * The versions that are offered as targets of a rollback. The newest is excluded, because it may never have served all
 * traffic.
 */
const offered = ({ versions }: FunctionVersions) => servedBefore(versions, versions.at(-1)?.release)

/**
 * Returns the versions that served all traffic before a release, latest first. Each deployment recorded which release
 * had all traffic at that time. Follows these records backward, and thereby skips releases that were stopped or rolled
 * back.
 */
function servedBefore(versions: PublishedVersion[], release: string | undefined): PublishedVersion[] {
  const index = versions.findLastIndex(each => each.release === release)
  const { [index]: { after } = {} } = versions
  const earlier = versions.slice(0, Math.max(0, index))
  const found = earlier.findLast(each => after !== undefined && each.release === after)
  return found ? [found, ...servedBefore(earlier, after)] : []
}

function explainMissing(functions: FunctionVersions[], to: string | undefined): string {
  const problem =
    to === undefined
      ? 'No release is known to have served all traffic'
      : `--to must name one release that has served all traffic and has not been rolled back since, but ${to} does not`
  return `${problem}.\n${listReleases(functions)}`
}

export function listReleases([first]: FunctionVersions[]): string {
  const releases = first ? offered(first) : []
  if (releases.length === 0)
    return 'There is no release to go back to: check out the previous commit, and deploy it'
  return [
    'Choose one of these releases, and specify it with --to:',
    ...releases.map(
      ({ number, release, version, published }) =>
        `  ${release} (${first?.functionName} ${number}), ${version}, published ${published.slice(0, 16)} UTC`,
    ),
  ].join('\n')
}
