/** `npm run restore`: moves a stage from its table to another table, step by step, without an outage. */
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { parseStage } from '../../lib/kit/parse-options.ts'
import { findUnusableTable, type TableToUse } from '../deploy/find-unusable-table.ts'
import { runFramework } from '../deploy/framework.ts'
import { readStatus } from '../deploy/read-deployed.ts'
import { readSettings, settingsFile, settingsOf, writeSettings } from '../deploy/read-settings.ts'
import { type DeployedStage, openStage } from '../operate/open-stage.ts'
import { compareTables } from '../operate/restore/compare-tables.ts'
import { decideStep, type Step } from '../operate/restore/decide-step.ts'
import { readTableState } from '../operate/restore/read-table-state.ts'
import { explainUndeployable } from '../operate/rollback/describe-next.ts'

interface RestoreOptions {
  stage: string
  table: string
  region?: string
  perform?: boolean
}

const HELP = `
The move takes three deployments: cover (the roles give access to both tables), move (the traffic and the indexer move
to the new table together) and leave (the roles no longer give access to the old table). Without --perform, the command
only prints the next step.

Example:
  npm run restore -- --stage prod --table blockchain-events-prod-2`

await createCommand('restore', { required: ['stage', 'table'] })
  .description('Moves a stage from its table to another table, such as a restored table, without an outage.')
  .option('--stage <name>', 'the stage', parseStage)
  .option('--table <name>', 'the table that the stage will use')
  .option('--perform', 'write the settings of the next step, and deploy them')
  .option('--region <name>', 'AWS region (default: the one that the AWS CLI uses)')
  .addHelpText('after', HELP)
  .action(restore)
  .parseAsync()

async function restore({ stage, table, region, perform }: RestoreOptions) {
  await doWork(async () => {
    const opened = await openStage(stage, region)
    const step = await findStep(opened, table)
    const inRegion = region ? ` --region ${region}` : ''
    const again = `npm run restore -- --stage ${stage} --table ${table}${inRegion}`
    const deploy = `npm run deploy -- --stage ${stage}${inRegion}`
    const file = settingsFile(stage)
    console.log(`${step.name}: ${step.does}`)
    if (step.name === 'done') return
    const { otherTable: used } = step.settings
    const differences =
      step.name === 'move' ? await compareTables(opened.dynamoDb, { used: String(used), target: table }) : []
    for (const line of [...differences, ...linesOf(step, { file, deploy })]) console.log(line)
    if (perform && step.deletesTable)
      throw new Error(
        '--perform never deletes a table, so write these settings into the file and deploy this step yourself',
      )
    if (!perform) {
      if (!step.deletesTable) console.log(`\nOr let this command perform the step: ${again} --perform`)
      return
    }
    const { tableDeletionPolicy } = settingsOf(readSettings(), stage)
    writeSettings(file, { settings: step.settings, tableDeletionPolicy })
    const named = step.switchOff.length > 0 ? ['--param', `switchOff=${step.switchOff}`] : []
    if (await runFramework(['deploy', '--stage', stage, '--region', opened.region, ...named]))
      console.log(`\nDone. Keep the new settings in ${file}. To see the next step: ${again}`)
    else console.error('The step was not completed. To try again, run the same command.')
  })
}

async function findStep(opened: DeployedStage, table: string) {
  const { stage, stackName, region, deployed, cloudFormation, dynamoDb } = opened
  const reason = explainUndeployable(await readStatus(cloudFormation, stackName), { stackName, region })
  if (reason) throw new Error(reason)
  const state = await readTableState(opened)
  const wanted = {
    ...settingsOf(readSettings(), stage),
    tableName: table,
    // `tableAdopted` is false for a table that the stack itself manages.
    tableAdopted: state.own !== table,
    tags: { service: 'blockchain-events', stage },
  } as unknown as TableToUse
  const problem = await findUnusableTable(dynamoDb, wanted, deployed)
  if (problem) throw new Error(problem)
  return decideStep(state, table)
}

function linesOf(
  { settings, switchOff }: Step,
  { file, deploy }: { file: string; deploy: string },
): string[] {
  return [
    `Set in ${file}:`,
    ...Object.entries(settings).map(([name, value]) =>
      value === undefined ? `  ${name}: (remove this setting)` : `  ${name}: ${value}`,
    ),
    `Then run this command from the commit that is deployed: ${deploy}${switchOff.length > 0 ? ` --param "switchOff=${switchOff}"` : ''}`,
  ]
}
