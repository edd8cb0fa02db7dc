import type { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { readDeployed } from '../../infra/deploy/read-deployed.ts'
import { openStage } from '../../infra/operate/open-stage.ts'
import { handlerOf } from '../support/faults/time-limits.ts'
import { startRecordingAws } from '../support/programs/recording-aws.ts'

const { jest } = import.meta
afterEach(() => jest.restoreAllMocks())

test('npm run rollback and npm run restore do not wait for hours for an answer of AWS', async () => {
  const aws = await startRecordingAws(() => ({ TemplateBody: '{}' }))
  jest.replaceProperty(process, 'env', {
    ...process.env,
    ...{ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: aws.baseUrl },
  })
  const { cloudFormation, dynamoDb } = await openStage('prod', 'eu-west-1')
  // The SDK reads a client's limits when the client makes its first call.
  await dynamoDb.send(new ListTablesCommand())

  for (const client of [cloudFormation, dynamoDb]) {
    const limits = { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true }
    expect(handlerOf(client).httpHandlerConfigs()).toMatchObject(limits)
    client.destroy()
  }
  await aws.stop()
})

test('npm run rollback and npm run restore say what to do without AWS credentials', async () => {
  const none = { AWS_EC2_METADATA_DISABLED: 'true', AWS_SHARED_CREDENTIALS_FILE: '/no/such/file' }
  jest.replaceProperty(process, 'env', { HOME: '/no/such/folder', ...none })

  await expect(openStage('prod', 'eu-west-1')).rejects.toThrow(
    /^No usable AWS credentials were found \(.+\)\. Configure them as for the AWS CLI$/,
  )
})

test('a stack whose first deployment was interrupted has a template without resources', async () => {
  const client = { send: async () => ({ TemplateBody: '' }) } as unknown as CloudFormationClient

  expect(await readDeployed(client, 'blockchain-events-prod')).toEqual({ Resources: {} })
})
