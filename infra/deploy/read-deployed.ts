import {
  type CloudFormationClient,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import { GetAliasCommand, GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda'
import {
  aliasResource,
  LIVE_ALIAS,
  type Release,
  readRelease,
  SHIFTED_NAMES,
  type ShiftedFunction,
} from './shifted-functions.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'

/** Returns a stack's template without the parts that are switched off. Undefined if no stack has this name. */
export async function readDeployed(
  client: CloudFormationClient,
  StackName: string,
): Promise<Template | undefined> {
  const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' })
  const found = await client.send(command).catch(ignoreMissing)
  // The body is empty as long as a stack has only a change set, because its first deployment was interrupted.
  return found && leaveOutWhatIsOff({ Resources: {}, ...(JSON.parse(found.TemplateBody || '{}') as object) })
}

/**
 * Ignores the error of a call for a stack that does not exist. Throws every other error, and explains an error about
 * credentials.
 */
export function ignoreMissing(error: Error): undefined {
  if (error.name === 'CredentialsProviderError')
    throw new Error(
      `No usable AWS credentials were found (${error.message}). Configure them as for the AWS CLI`,
      { cause: error },
    )
  if (!/does not exist/.test(error.message)) throw error
}

export async function readStatus(client: CloudFormationClient, StackName: string): Promise<string> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }))
  return stack?.StackStatus ?? ''
}

export interface LiveVersion extends Partial<Release> {
  functionName: string
  /** The version to which the stack's template points the alias. */
  stackVersion: string | undefined
  /** The version to which the alias points now. */
  liveVersion: string
  /** For each other version with traffic, its share of the traffic. */
  weights: Record<string, number>
  tableName: string | undefined
}

interface Stack {
  cloudFormation: CloudFormationClient
  lambda: LambdaClient
  stackName: string
  deployed: Template
}

/** Empty if a stack has no versions. */
export async function readLiveVersions({ cloudFormation, lambda, ...stack }: Stack): Promise<LiveVersion[]> {
  return Promise.all(
    SHIFTED_NAMES.filter(key => aliasResource(key) in stack.deployed.Resources).map(async key => {
      const functionName = `${stack.stackName}-${key}`
      const alias = await lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: LIVE_ALIAS }))
      const liveVersion = alias.FunctionVersion ?? ''
      const { Environment, Description } = await lambda.send(
        new GetFunctionConfigurationCommand({ FunctionName: functionName, Qualifier: liveVersion }),
      )
      return {
        ...readRelease(Description),
        functionName,
        stackVersion: await readStackVersion(cloudFormation, { ...stack, key }),
        liveVersion,
        weights: alias.RoutingConfig?.AdditionalVersionWeights ?? {},
        tableName: Environment?.Variables?.EVENTS_TABLE,
      }
    }),
  )
}

async function readStackVersion(
  client: CloudFormationClient,
  { stackName, deployed, key }: { stackName: string; deployed: Template; key: ShiftedFunction },
): Promise<string | undefined> {
  const { FunctionVersion } = (deployed.Resources[aliasResource(key)]?.Properties ?? {}) as {
    FunctionVersion?: { 'Fn::GetAtt'?: [string, string] }
  }
  const [LogicalResourceId] = FunctionVersion?.['Fn::GetAtt'] ?? []
  if (LogicalResourceId === undefined) return undefined
  const id = await readPhysicalId(client, { StackName: stackName, LogicalResourceId })
  return id?.split(':').at(-1)
}

/** Returns the id that AWS has given to a resource of the stack, such as the ARN of a topic. */
export async function readPhysicalId(
  client: CloudFormationClient,
  resource: { StackName: string; LogicalResourceId: string },
): Promise<string | undefined> {
  const { StackResourceDetail } = await client.send(new DescribeStackResourceCommand(resource))
  return StackResourceDetail?.PhysicalResourceId
}
