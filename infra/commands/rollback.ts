/** `npm run rollback`: shifts all traffic back to an earlier version within seconds, even while alarms fire. */
import { UpdateAliasCommand } from '@aws-sdk/client-lambda'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { parseStage } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { readStatus } from '../deploy/read-deployed.ts'
import { LIVE_ALIAS } from '../deploy/shifted-functions.ts'
import { openStage } from '../operate/open-stage.ts'
import { checkTargets } from '../operate/rollback/check-targets.ts'
import { decideRollback, listReleases, type Move } from '../operate/rollback/decide-rollback.ts'
import { describeNext } from '../operate/rollback/describe-next.ts'
import { readFunctions } from '../operate/rollback/read-functions.ts'
import { stopShifts } from '../operate/rollback/stop-shifts.ts'

interface RollbackOptions {
  stage: string
  to?: string
  region?: string
  skipCheckAndRiskAnOutage?: boolean
}

const HELP = `
The command stops any traffic shift that is in progress. Afterwards, all aliases send all traffic to one release. Except
with --to stack, this release has already served all traffic and has not been rolled back since. If traffic has already
been shifted back, nothing changes, so you can safely run this command when in doubt.

Examples:
  npm run rollback -- --stage prod
  npm run rollback -- --stage prod --to 41`

await createCommand('rollback', { required: ['stage'] })
  .description('Shifts all traffic back to an earlier version, within seconds, even while alarms fire.')
  .option('--stage <name>', 'the stage to roll back', parseStage)
  .option(
    '--to <version>',
    'the name or version of a release that has served all traffic, or "stack" for the last deployed release (default: the previous release)',
  )
  .option(
    '--skip-check-and-risk-an-outage',
    'roll back even if the target version fails its check, at the risk that every request fails',
  )
  .option('--region <name>', 'AWS region (default: the one that the AWS CLI uses)')
  .addHelpText('after', HELP)
  .action(rollback)
  .parseAsync()

async function rollback({ stage, to, region, skipCheckAndRiskAnOutage }: RollbackOptions) {
  await doWork(async () => {
    const opened = await openStage(stage, region)
    const { stackName, cloudFormation, codeDeploy, lambda } = opened
    const functions = await readFunctions(opened)
    if (functions.length === 0) throw new Error(explainWithoutVersions(stage))
    const status = await readStatus(cloudFormation, stackName)
    const moves = decideRollback(functions, { to, status })
    const problems = await checkTargets(opened, moves)
    for (const problem of problems) console.error(problem)
    if (problems.length > 0 && !skipCheckAndRiskAnOutage)
      throw new Error(
        `Nothing was changed, because the target version would fail. ${listReleases(functions)}`,
      )
    const stopped = await stopShifts(codeDeploy, stackName)
    if (stopped > 0) console.log(`Stopped ${counted(stopped, 'traffic shift')}`)
    const updates = moves.map(({ functionName, to: { number } }) => ({
      FunctionName: functionName,
      Name: LIVE_ALIAS,
      FunctionVersion: number,
      // Removes the traffic weights that an unfinished shift left on the alias.
      RoutingConfig: { AdditionalVersionWeights: {} },
    }))
    await Promise.all(updates.map(each => lambda.send(new UpdateAliasCommand(each))))
    for (const move of moves) console.log(lineOf(move))
    if (to === undefined && moves.every(({ isDone }) => isDone))
      console.log(
        `All traffic had already been shifted back. If you want to go back further:\n${listReleases(functions)}`,
      )
    const isAsStack = functions.every(({ stackVersion }, index) => stackVersion === moves[index]?.to.number)
    console.log(`\n${describeNext(status, { stackName, stage, region, isAsStack, stopped })}`)
  })
}

function lineOf({ functionName, from, to: { number, release, version }, isDone }: Move): string {
  const shift = isDone ? `already at version ${number}` : `shifted from version ${from} to version ${number}`
  return `${functionName}: all traffic was ${shift} (release ${release}, ${version})`
}

function explainWithoutVersions(stage: string): string {
  return `The stage ${stage} has no versions to go back to, because its setting trafficShift is none: check out the commit that was deployed before, and run npm run deploy for this stage`
}
