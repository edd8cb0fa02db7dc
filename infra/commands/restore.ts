/** `npm run restore`: moves a stage from its table to another table, step by step, without an outage. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { createCommand } from '../../lib/kit/create-command.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { exitCodeOf, whenAskedToStop } from '../../lib/kit/when-asked-to-stop.ts'
import { findUnusableTable, type TableToUse } from '../deploy/find-unusable-table.ts'
import { readDeployed, readStatus } from '../deploy/read-deployed.ts'
import { readSettings, settingsFile } from '../deploy/read-settings.ts'
import { leaveOutWhatIsOff } from '../deploy/template.ts'
import { compareTables } from '../operate/restore/compare-tables.ts'
import { decideStep, type Step } from '../operate/restore/decide-step.ts'
import { readTableState } from '../operate/restore/read-table-state.ts'
import { writeSettings } from '../operate/restore/write-settings.ts'

interface RestoreOptions {
  stage: string
  table: string
  region?: string
  perform?: boolean
}

const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

const HELP = `
The steps: cover (the roles cover both tables), move (traffic and indexer move at once), leave (the roles leave the
old table). Each step is a deployment. Without --perform the command only prints the next step.

Example:
  npm run restore -- --stage prod --table blockchain-events-prod-2`

await createCommand('restore', { required: ['stage', 'table'] })
  .description('Moves a stage from its table to another table, such as a restored table, without an outage.')
  .option('--stage <name>', 'the stage')
  .option('--table <name>', 'the table that the stage will use')
  .option('--perform', 'write the settings of the next step, and deploy them')
  .option('--region <name>', 'AWS region (default: that of the AWS tools)')
  .addHelpText('after', HELP)
  .action(restore)
  .parseAsync()

async function restore({ stage, table, region, perform }: RestoreOptions) {
  try {
    const found = region ?? (await findRegion())
    if (!found) throw new Error('No AWS region was found: give --region or set AWS_REGION')
    const step = await findStep({ stage, table, region: found })
    const again = `npm run restore -- --stage ${stage} --table ${table}${region ? ` --region ${region}` : ''}`
    const file = settingsFile(stage)
    console.log(`${step.name}: ${step.does}`)
    if (step.name === 'done') return
    for (const line of [...(await findDifferences(step, { table, region: found })), ...linesOf(step, file)])
      console.log(line)
    if (!perform) {
      console.log(`\nPerform it: ${again} --perform`)
      return
    }
    const { default: defaults, [stage]: ofStage } = readSettings()
    const { tableDeletionPolicy } = { ...defaults, ...ofStage }
    writeSettings(file, { settings: step.settings, tableDeletionPolicy })
    await deploy({ stage, region: found, step })
    if (process.exitCode) return
    console.log(`\nDone. Keep ${file}; the next step: ${again}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

async function findStep({ stage, table, region }: { stage: string; table: string; region: string }) {
  const config = { region }
  const stackName = `blockchain-events-${stage}`
  const cloudFormation = new CloudFormationClient(config)
  const template = await readDeployed(cloudFormation, stackName)
  if (!template) throw new Error(`There is no stack ${stackName} in ${region}`)
  const status = await readStatus(cloudFormation, stackName)
  if (status.endsWith('IN_PROGRESS'))
    throw new Error(`${stackName} is being updated (${status}): wait for the end, then ask again`)
  const deployed = leaveOutWhatIsOff(template)
  const state = await readTableState({
    cloudFormation,
    lambda: new LambdaClient(config),
    stage,
    stackName,
    deployed,
  })
  const { default: defaults, [stage]: ofStage } = readSettings()
  const wanted = {
    ...defaults,
    ...ofStage,
    tableName: table,
    // `tableAdopted` is false for a table that the stack itself manages.
    tableAdopted: state.own !== table,
    tags: { service: 'blockchain-events', stage },
  } as unknown as TableToUse
  const problem = await findUnusableTable(new DynamoDBClient(config), wanted, deployed)
  if (problem) throw new Error(problem)
  return decideStep(state, table)
}

/** The differences of the tables that readers notice after the move. */
async function findDifferences(
  { name, settings }: Step,
  { table, region }: { table: string; region: string },
) {
  const { otherTable } = settings
  if (name !== 'move' || typeof otherTable !== 'string') return []
  return compareTables(new DynamoDBClient({ region }), { used: otherTable, target: table })
}

function linesOf({ settings, switchOff }: Step, file: string): string[] {
  return [
    `In ${file}:`,
    ...Object.entries(settings).map(([name, value]) =>
      value === undefined ? `  ${name} is taken away` : `  ${name}: ${value}`,
    ),
    `Then npm run deploy, from the commit that is deployed${switchOff.length > 0 ? `, with --param "switchOff=${switchOff}"` : ''}`,
  ]
}

async function deploy({ stage, region, step }: { stage: string; region: string; step: Step }) {
  const named = step.switchOff.length > 0 ? ['--param', `switchOff=${step.switchOff}`] : []
  const child = spawn(
    process.execPath,
    [SERVERLESS, 'deploy', '--stage', stage, '--region', region, ...named],
    {
      stdio: 'inherit',
    },
  )
  whenAskedToStop(signal => {
    process.exitCode = exitCodeOf(signal)
    child.kill(signal)
  })
  const [status] = await once(child, 'exit')
  if (status === 0) return
  process.exitCode ??= status ?? 1
  console.error('The step is not done. The same command performs it again.')
}
