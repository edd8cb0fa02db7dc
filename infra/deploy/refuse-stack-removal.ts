import {
  CloudFormationClient,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation'
import type { Serverless, Utilities } from './framework.ts'
import { ignoreMissing } from './read-deployed.ts'
import { settingsOf } from './read-settings.ts'

/**
 * A Serverless Framework plugin. Refuses a removal without the option `--stage`, because the framework would remove
 * `dev` in this case. Without `--` before the options, npm passes none of them on, so `--stage` is missing, too. If a
 * stage has a retained table or a protected stack, the command must also contain `--param "remove=<stage>"`. The plugin
 * then switches off termination protection. After each removal, it prints what remains.
 */
export default function refuseStackRemoval(
  serverless: Serverless,
  { param = [], stage: named }: { param?: string[]; stage?: string },
  { log }: Utilities,
) {
  const provider = serverless.getProvider('aws')
  const stage = provider.getStage()
  const StackName = provider.naming.getStackName()
  return {
    hooks: {
      'before:remove:remove': async () => {
        if (named === undefined) throw new serverless.classes.Error(NO_STAGE, 'REFUSED_REMOVAL')
        const client = new CloudFormationClient(await provider.getAwsSdkV3Config())
        const found = await client.send(new DescribeStacksCommand({ StackName })).catch(ignoreMissing)
        const isProtected = found?.Stacks?.some(stack => stack.EnableTerminationProtection)
        const settings = settingsOf(serverless.configurationInput.params, stage)
        const isRetained = settings.tableDeletionPolicy === 'Retain'
        if (!isProtected && !isRetained) return
        if (!param.includes(`remove=${stage}`)) {
          throw new serverless.classes.Error(explainRemoval(stage, settings), 'REFUSED_REMOVAL')
        }
        if (!isProtected) return
        await client.send(
          new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
        )
      },
      'after:remove:remove': async () =>
        log.notice(explainWhatStays(settingsOf(serverless.configurationInput.params, stage))),
    },
  }
}

const NO_STAGE =
  'Specify the stage that you want to remove, with -- before the option: npm run remove -- --stage dev'

const explainRemoval = (stage: string, settings: Record<string, unknown>) =>
  [
    `This would remove blockchain-events-${stage}:`,
    '  the API: its AWS address would be lost permanently, and its custom domain would no longer lead to an API',
    '  the functions, the alarms, the dashboard, the logs and the packages that a rollback needs',
    explainWhatStays(settings),
    `If this is intended, confirm it with the stage's name: --param "remove=${stage}"`,
  ].join('\n')

function explainWhatStays(settings: Record<string, unknown>) {
  const parameters = Object.keys(settings).filter(name => name.endsWith('ConfigParameter'))
  return [
    'A table stays if its deletion policy is Retain or if it was adopted. Log groups that the stack did not create, such as',
    `that of an import, stay as well, and so do the SSM parameters ${parameters.map(name => settings[name]).join(' and ')}, which may`,
    'contain keys and secrets.',
  ].join('\n')
}
