import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CodeDeployClient } from '@aws-sdk/client-codedeploy'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { commandLimits } from '../../lib/kit/command-client.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { readDeployed } from '../deploy/read-deployed.ts'

export type DeployedStage = Awaited<ReturnType<typeof openStage>>

/** Throws a one-line error if there is no region or no stack. */
export async function openStage(stage: string, namedRegion: string | undefined) {
  const region = namedRegion ?? (await findRegion())
  if (!region) throw new Error('No AWS region was found: specify --region or set AWS_REGION')
  const stackName = `blockchain-events-${stage}`
  const config = { region, requestHandler: commandLimits() }
  const cloudFormation = new CloudFormationClient(config)
  const deployed = await readDeployed(cloudFormation, stackName)
  if (!deployed)
    throw new Error(
      `There is no stack ${stackName} in ${region}: check --stage, --region and the AWS account`,
    )
  return {
    stage,
    stackName,
    region,
    deployed,
    cloudFormation,
    codeDeploy: new CodeDeployClient(config),
    dynamoDb: new DynamoDBClient(config),
    lambda: new LambdaClient(config),
  }
}
