import { findKeptByNpm } from '../../lib/kit/create-command.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { findWrongSetting } from './find-wrong-setting.ts'
import type { Serverless } from './framework.ts'
import { type Settings, settingsFile, settingsOf } from './read-settings.ts'

interface CommandLine {
  stage?: string
  param?: (string | null)[]
  region?: string
  'aws-profile'?: string
}

const ONLY_HERE = 'The stage local exists only on this machine, where npm start runs it: choose another stage'

/** Commands that call AWS, and therefore need a region. */
const AWS_COMMANDS = ['deploy', 'deploy list', 'remove', 'rollback', 'info']

/**
 * A Serverless Framework plugin. Rejects a command if npm did not pass on its options, if a setting is wrong, or if no
 * region is found.
 */
export default function refuseWrongSettings(serverless: Serverless, options: CommandLine) {
  const { stage = 'dev', param, region } = options
  const refuse = (reason: string): never => {
    throw new serverless.classes.Error(reason, 'WRONG_SETTING')
  }
  const { params: settings } = serverless.configurationInput
  // The framework resolves no variables if it only prints help, so the settings are then unknown.
  if (typeof settings === 'string') return { hooks: {} }
  const { commands } = serverless.processedInput
  const command = commands.join(' ')
  const wrong =
    findKeptByNpm(commands[0] ?? '', ['--stage', '--param', '--region']) ??
    (stage === 'local' && commands[0] !== 'offline' ? ONLY_HERE : undefined) ??
    findWrongSetting({ settings, stage, given: param }) ??
    (command === 'deploy' ? findUnwatched(settings, stage) : undefined)
  if (wrong !== undefined) refuse(wrong)
  const refuseWithoutRegion = async () => {
    if (region || (await findRegion(options['aws-profile']))) return
    refuse('No AWS region was found: set AWS_REGION or specify --region')
  }
  // The check runs in `initialize`, because a deployment packages the functions even before its first lifecycle event.
  return { hooks: AWS_COMMANDS.includes(command) ? { initialize: refuseWithoutRegion } : {} }
}

/** If a stage keeps its table and `unwatched` is false, the stage needs an alarm receiver, a budget and a runbook. */
export function findUnwatched(settings: Settings, stage: string): string | undefined {
  const values = settingsOf(settings, stage)
  if (values.tableDeletionPolicy !== 'Retain' || values.unwatched === true) return undefined
  const missing = [
    !values.alarmEmail && !values.alarmTopicArn && 'alarmEmail or alarmTopicArn (the receiver of alarms)',
    !(Number(values.monthlyBudget) > 0) && 'monthlyBudget (US dollars)',
    !/^https?:/.test(String(values.runbook)) && 'runbook (the address that alarms link to)',
  ].filter(Boolean)
  if (missing.length === 0) return undefined
  return `${settingsFile(stage)}: a stage that keeps its table needs ${missing.join(', ')}. If nobody needs to be notified, write "unwatched: true"`
}
