import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { LambdaClient } from '@aws-sdk/client-lambda'
import type { Serverless, Utilities } from './framework.ts'
import { type LiveVersion, readDeployed, readLiveVersions } from './read-deployed.ts'
import {
  aliasResource,
  describeAfter,
  readRelease,
  SHIFTED_FUNCTIONS,
  SHIFTED_NAMES,
} from './shifted-functions.ts'
import { type Template, tablesCoveredIn, tableUsedIn } from './template.ts'

/**
 * A Serverless Framework plugin. If traffic cannot shift step by step, the plugin prints the reason, and lets all
 * traffic move at once after the new version has passed its check. The plugin also records which release had the
 * traffic before, and rejects an update after which a live version could not read its table.
 */
export default function moveAtOnce(
  serverless: Serverless,
  { param = [] }: { param?: string[] },
  { log }: Utilities,
) {
  return {
    hooks: {
      'before:aws:deploy:deploy:checkForChanges': async () => {
        const { compiledCloudFormationTemplate: next } = serverless.service.provider
        const aws = serverless.getProvider('aws')
        const config = await aws.getAwsSdkV3Config()
        const stackName = aws.naming.getStackName()
        const cloudFormation = new CloudFormationClient(config)
        const deployed = await readDeployed(cloudFormation, stackName)
        if (!deployed) return
        const live = await readLiveVersions({
          cloudFormation,
          lambda: new LambdaClient(config),
          stackName,
          deployed,
        })
        const denied = findDenied(live, next) ?? findLedBack(live, { deployed, next })
        if (denied) throw new serverless.classes.Error(denied, 'REFUSED_UPDATE')
        nameReleaseBefore(next, live)
        const reason = whyAtOnce({ deployed, next, live, isAsked: param.includes('atOnce=true') })
        if (reason === undefined) return
        log.notice(`All traffic moves in one step: ${reason}`)
        for (const key of SHIFTED_NAMES) delete next.Resources[aliasResource(key)]?.UpdatePolicy
      },
      // Without this line, the framework would skip a package that equals the last upload, even if CloudFormation has
      // rolled back the update to that package.
      'after:aws:deploy:deploy:checkForChanges': () => {
        serverless.service.provider.shouldNotDeploy = false
      },
    },
  }
}

/**
 * Adds the release that has all traffic to the descriptions of the new release's functions. A rollback returns only to
 * releases that are recorded in this way, because only these are known to have served all traffic without being rolled
 * back.
 */
function nameReleaseBefore({ Resources }: Template, live: LiveVersion[]): void {
  const [{ release, after } = {}, ...others] = live
  const isMixed =
    others.some(each => each.release !== release) ||
    live.some(({ weights }) => Object.keys(weights).length > 0)
  for (const part of Object.values(SHIFTED_FUNCTIONS)) {
    const { Properties } = Resources[`${part}LambdaFunction`] ?? {}
    const before = readRelease(String(Properties?.Description)).release === release ? after : release
    if (Properties && before && !isMixed)
      Properties.Description = describeAfter(Properties.Description, before)
  }
}

/** Returns one sentence if a live version uses a table that the new roles do not cover. */
export function findDenied(live: LiveVersion[], next: Template): string | undefined {
  const covered = tablesCoveredIn(next)
  const denied = live.find(({ tableName }) => tableName !== undefined && !covered.includes(tableName))
  return (
    denied &&
    `The live version ${denied.liveVersion} of ${denied.functionName} reads ${denied.tableName}, to which the roles would no longer give access. To see the next step, run npm run restore for this stage, with --table ${tableUsedIn(next)}`
  )
}

const findShiftedBack = (live: LiveVersion[]) =>
  live.find(({ liveVersion, stackVersion }) => stackVersion && liveVersion !== stackVersion)

const releaseIn = ({ Resources }: Template) =>
  readRelease(String(Resources.UserEventsLambdaFunction?.Properties?.Description)).release

/**
 * Returns one sentence if the stack already has the new release, but the traffic was shifted back to an earlier
 * release.
 */
function findLedBack(live: LiveVersion[], { deployed, next }: { deployed: Template; next: Template }) {
  const moved = findShiftedBack(live)
  return moved && releaseIn(deployed) === releaseIn(next)
    ? `The stack already has this release, but ${moved.functionName} was shifted back from version ${moved.stackVersion} to ${moved.liveVersion}. To shift the traffic to this release again, run npm run rollback for this stage, with --to stack`
    : undefined
}

interface Update {
  deployed: Template
  next: Template
  live: LiveVersion[]
  isAsked: boolean
}

/** Returns the reason to move all traffic in one step. Undefined if the traffic should shift step by step. */
export function whyAtOnce({ deployed, next, live, isAsked }: Update): string | undefined {
  if (!Object.values(next.Resources).some(({ UpdatePolicy }) => UpdatePolicy)) return undefined
  if (isAsked) return '--param "atOnce=true" requests it'
  const from = tableUsedIn(deployed)
  const to = tableUsedIn(next)
  if (from && from !== to) return `the table changes from ${from} to ${to}`
  const moved = findShiftedBack(live)
  return (
    moved &&
    `${moved.functionName} was shifted back from the stack's version ${moved.stackVersion} to version ${moved.liveVersion}`
  )
}
