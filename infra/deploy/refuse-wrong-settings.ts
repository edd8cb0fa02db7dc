import { findRegion } from './find-region.ts'
import { findWrongSetting } from './find-wrong-setting.ts'
import type { Settings } from './read-settings.ts'

interface Serverless {
  configurationInput: { params: Settings }
  /** Errors of this class are told without a stack. */
  classes: { Error: new (message: string, code: string) => Error }
}

interface CommandLine {
  stage?: string
  param?: (string | null)[]
  region?: string
  'aws-profile'?: string
}

/** The commands that talk to AWS, by the beginning of what they do. */
const AWS_COMMANDS = ['deploy:deploy', 'deploy:list:log', 'remove:remove', 'rollback:rollback', 'info:info']

/** A plugin of the framework: every command fails at once where its stage or a setting is wrong, or no region is known. */
export default function refuseWrongSettings(serverless: Serverless, options: CommandLine) {
  const { stage = 'dev', param, region } = options
  const refuse = (reason: string): never => {
    throw new serverless.classes.Error(reason, 'WRONG_SETTING')
  }
  const wrong = findWrongSetting({ settings: serverless.configurationInput.params, stage, given: param })
  if (wrong !== undefined) refuse(wrong)
  const refuseWithoutRegion = async () => {
    if (region || (await findRegion(options['aws-profile']))) return
    refuse('No AWS region was found: set AWS_REGION, or give --region')
  }
  return {
    hooks: Object.fromEntries(AWS_COMMANDS.map(command => [`before:${command}`, refuseWithoutRegion])),
  }
}
