import { findWrongSetting, type Settings } from './find-wrong-setting.ts'

interface Serverless {
  configurationInput: Pick<Settings, 'params'>
  /** Errors of this class are told without a stack. */
  classes: { Error: new (message: string, code: string) => Error }
}

interface CommandLine {
  stage?: string
  param?: (string | null)[]
}

/** A plugin of the framework: every command fails at once whose stage or parameter is mistyped. */
export default function refuseWrongSettings(serverless: Serverless, { stage, param }: CommandLine) {
  const { params } = serverless.configurationInput
  const wrong = findWrongSetting({ params, stage, given: param })
  if (wrong !== undefined) throw new serverless.classes.Error(wrong, 'WRONG_SETTING')
  return {}
}
