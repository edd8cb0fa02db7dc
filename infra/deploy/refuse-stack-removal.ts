import {
  CloudFormationClient,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation'
import type { Serverless, Utilities } from './framework.ts'
import { settingsOf } from './read-settings.ts'

/**
 * A Serverless Framework plugin. Refuses a removal without the option `--stage`, because npm does not pass on an option
 * without a preceding `--`, and the framework would then remove `dev`. A stage with a retained table or a protected
 * stack is removed only if the command also names it as a parameter. The plugin then switches off termination
 * protection. After each removal, it prints what remains.
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
        const isProtected = await isTerminationProtected(client, StackName)
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

const NO_STAGE = 'Specify the stage to remove, and put -- before the option: npm run remove -- --stage dev'

/** False if no stack has this name. */
async function isTerminationProtected(client: CloudFormationClient, StackName: string): Promise<boolean> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }))
    return Stacks.some(stack => stack.EnableTerminationProtection === true)
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return false
    throw error
  }
}

const explainRemoval = (stage: string, settings: Record<string, unknown>) =>
  [
    `This would remove blockchain-events-${stage}:`,
    '  the API: its AWS address would be lost permanently, and its custom domain would lead nowhere',
    '  the functions, the alarms, the dashboard, the logs and the packages that a rollback needs',
    explainWhatStays(settings),
    `If this is intended, name the stage: --param "remove=${stage}"`,
  ].join('\n')

const explainWhatStays = ({ indexConfigParameter, publishConfigParameter }: Record<string, unknown>) =>
  [
    'A table stays if its deletion policy is Retain or if it was adopted. Log groups that the stack did not create, such as',
    `that of an import, stay as well, and so do the SSM parameters ${indexConfigParameter} and ${publishConfigParameter}, which may`,
    'contain keys and secrets.',
  ].join('\n')
