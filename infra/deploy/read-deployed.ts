import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import type { Template } from './template.ts'

/** Reads the template of a deployed stack. Resolves with undefined if no stack has this name. */
export async function readDeployed(
  client: CloudFormationClient,
  StackName: string,
): Promise<Template | undefined> {
  try {
    const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' })
    const { TemplateBody = '{}' } = await client.send(command)
    return { Resources: {}, ...(JSON.parse(TemplateBody) as object) }
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined
    throw error
  }
}

/** Reads the status of a deployed stack, such as `UPDATE_COMPLETE`. */
export async function readStatus(client: CloudFormationClient, StackName: string): Promise<string> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  return stack?.StackStatus ?? ''
}
