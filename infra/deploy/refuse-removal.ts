import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation'
import type { Settings } from './read-settings.ts'

interface Provider {
  getStage(): string
  getAwsSdkV3Config(): Promise<CloudFormationClientConfig>
  naming: { getStackName(): string }
}

interface Serverless {
  configurationInput: { params: Settings }
  getProvider(name: 'aws'): Provider
  classes: { Error: new (message: string, code: string) => Error }
}

interface CommandLine {
  param?: string[]
}

interface Utilities {
  log: { notice(text: string): void }
}

/**
 * A plugin of the framework. Refuses to remove a stage with a retained table or a protected stack, unless the command
 * names the stage. Then switches the stack's termination protection off. Names what a removal leaves.
 */
export default function refuseRemoval(
  serverless: Serverless,
  { param = [] }: CommandLine,
  { log }: Utilities,
) {
  const provider = serverless.getProvider('aws')
  const stage = provider.getStage()
  const StackName = provider.naming.getStackName()
  const settings = () => {
    const { default: defaults, [stage]: ofStage } = serverless.configurationInput.params
    return { ...defaults, ...ofStage }
  }
  return {
    hooks: {
      'after:remove:remove': () => log.notice(describeWhatStays(settings())),
      'before:remove:remove': async () => {
        const client = new CloudFormationClient(await provider.getAwsSdkV3Config())
        const isProtected = await isTerminationProtected(client, StackName)
        const isRetained = settings().tableDeletionPolicy === 'Retain'
        if (!isProtected && !isRetained) return
        if (!param.includes(`remove=${stage}`)) {
          throw new serverless.classes.Error(
            explainRemoval(StackName, { stage, stays: describeWhatStays(settings()) }),
            'REFUSED_REMOVAL',
          )
        }
        if (!isProtected) return
        await client.send(
          new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
        )
      },
    },
  }
}

/** Whether the stack has termination protection. Resolves with false if no stack has this name. */
async function isTerminationProtected(client: CloudFormationClient, StackName: string): Promise<boolean> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }))
    return Stacks.some(stack => stack.EnableTerminationProtection === true)
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return false
    throw error
  }
}

const explainRemoval = (stackName: string, { stage, stays }: { stage: string; stays: string }) =>
  [
    `This would remove ${stackName}:`,
    '  the API: nobody ever gets its address at AWS again, and its own domain leads nowhere',
    '  the functions, the alarms, the dashboard, the logs and the packages that a rollback needs',
    stays,
    `If this is meant, name the stage: --param "remove=${stage}"`,
  ].join('\n')

/** Names what is not part of the stack, or is retained. */
const describeWhatStays = ({ tableDeletionPolicy, ...settings }: Record<string, unknown>) =>
  [
    'This stays, until somebody deletes it:',
    ...(tableDeletionPolicy === 'Retain' ? ['  the table, which is retained'] : []),
    `  the parameters ${settings.indexConfigParameter} and ${settings.publishConfigParameter} of SSM, which may contain keys and secrets`,
    '  log groups that the stack did not make, such as /aws-dynamodb/imports of an import',
  ].join('\n')
