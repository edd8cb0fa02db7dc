import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, NoSuchKey, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { findManyIndexChanges, findSwitchedOff, type SwitchedOff } from './find-switched-off.ts'
import { findTableProblems, type WantedTable } from './find-table-problems.ts'
import { type Settings, settingsFile } from './read-settings.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'

/** What the framework gives clients of the SDK: region, credentials, retries. */
type ClientConfig = CloudFormationClientConfig & DynamoDBClientConfig & S3ClientConfig

interface Provider {
  getStage(): string
  getAwsSdkV3Config(): Promise<ClientConfig>
  getServerlessDeploymentBucketName(): Promise<string>
  getDeploymentPrefix(): string
  naming: { getStackName(): string; getCompiledTemplateS3Suffix(): string }
}

interface Serverless {
  configurationInput: { params: Settings }
  service: { service: string; provider: { compiledCloudFormationTemplate: Template } }
  getProvider(name: 'aws'): Provider
  classes: { Error: new (message: string, code: string) => Error }
}

interface CommandLine {
  param?: string[]
  timestamp?: string
}

/**
 * A plugin of the framework: an update is compared with what the stack has before anything is uploaded or changed,
 * and refused where it would switch something off that nobody has named, or could not be carried out.
 */
export default function refuseSwitchingOff(serverless: Serverless, { param = [], timestamp }: CommandLine) {
  const provider = serverless.getProvider('aws')
  const stage = provider.getStage()
  const stackName = provider.naming.getStackName()
  const named = param.flatMap(each => (each.startsWith('switchOff=') ? each.slice(10).split(',') : []))

  function refuse(reason: string): never {
    throw new serverless.classes.Error(reason, 'REFUSED_UPDATE')
  }

  function compare(deployed: Template, next: Template) {
    const conflict = findManyIndexChanges(deployed, next)
    if (conflict) refuse(conflict)
    const off = findSwitchedOff(deployed, next).filter(({ name }) => !named.includes(name))
    if (off.length > 0) refuse(explainSwitchedOff(off, { stackName, stage, named }))
  }

  return {
    hooks: {
      'before:aws:deploy:deploy:createStack': async () => {
        const config = await provider.getAwsSdkV3Config()
        const next = serverless.service.provider.compiledCloudFormationTemplate
        const deployed = await readDeployed(new CloudFormationClient(config), stackName)
        const { default: defaults, [stage]: ofStage } = serverless.configurationInput.params
        const wanted = { ...defaults, ...ofStage } as unknown as WantedTable & { tableAdopted: boolean }
        const problem = await findProblemOfTable(new DynamoDBClient(config), wanted, deployed)
        if (problem) refuse(problem)
        if (deployed) compare(deployed, next)
      },
      'before:rollback:rollback': async () => {
        if (!timestamp) return
        const config = await provider.getAwsSdkV3Config()
        const earlier = await readEarlier(new S3Client(config), {
          Bucket: await provider.getServerlessDeploymentBucketName(),
          folder: `${provider.getDeploymentPrefix()}/${serverless.service.service}/${stage}`,
          timestamp,
          file: provider.naming.getCompiledTemplateS3Suffix(),
        })
        const deployed = await readDeployed(new CloudFormationClient(config), stackName)
        if (earlier && deployed) compare(deployed, earlier)
      },
    },
  }
}

/** Several lines: what would be off, what to do where a setting was forgotten, and what where it is meant. */
function explainSwitchedOff(
  off: SwitchedOff[],
  { stackName, stage, named }: { stackName: string; stage: string; named: string[] },
): string {
  const names = [...named, ...off.map(({ name }) => name)].join(',')
  return [
    `This would switch off what ${stackName} has on:`,
    ...off.map(({ name, becomes }) => `  ${name}: ${becomes}`),
    `If a setting is missing, write it into ${settingsFile(stage)}.`,
    `If this is meant, say so by name: --param "switchOff=${names}"`,
  ].join('\n')
}

/** Undefined where there is no stack of that name. */
async function readDeployed(client: CloudFormationClient, StackName: string): Promise<Template | undefined> {
  try {
    const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' })
    const { TemplateBody = '{}' } = await client.send(command)
    return { Resources: {}, ...(JSON.parse(TemplateBody) as object) }
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined
    throw error
  }
}

interface EarlierDeployment {
  Bucket: string
  folder: string
  timestamp: string
  file: string
}

/** Undefined where there is no such deployment, which the framework says itself. */
async function readEarlier(
  client: S3Client,
  { Bucket, folder, timestamp, file }: EarlierDeployment,
): Promise<Template | undefined> {
  const date = new Date(/^\d+$/.test(timestamp) ? Number(timestamp) : timestamp)
  if (Number.isNaN(date.valueOf())) return undefined
  const Key = `${folder}/${date.valueOf()}-${date.toISOString()}/${file}`
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
    return Body && JSON.parse(await Body.transformToString())
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

/** Why the stage's table is not there to be used, or not to be made; undefined where it is. */
async function findProblemOfTable(
  client: DynamoDBClient,
  wanted: WantedTable & { tableAdopted: boolean },
  deployed: Template | undefined,
): Promise<string | undefined> {
  const { tableName, tableAdopted } = wanted
  const isOwn = deployed && 'EventsTable' in leaveOutWhatIsOff(deployed).Resources
  if (isOwn && !tableAdopted) return undefined
  const table = await describeTable(client, tableName)
  if (!tableAdopted) return table && explainTableInTheWay(tableName)
  if (!table)
    return `There is no table ${tableName} that could be adopted: check tableName, account and region`
  const { ContinuousBackupsDescription: backups } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: tableName }),
  )
  const problems = findTableProblems({ table, backups }, wanted)
  if (problems.length === 0) return undefined
  return [`The table ${tableName} cannot be adopted as it is:`, ...problems.map(each => `  ${each}`)].join(
    '\n',
  )
}

function explainTableInTheWay(tableName: string): string {
  return [
    `There is a table ${tableName} already, which this stack has not made; an earlier one has left it, or it was restored.`,
    'To use it and its events, write "tableAdopted: true" into the settings of the stage.',
    `To begin anew, delete it: aws dynamodb update-table --table-name ${tableName} --no-deletion-protection-enabled && aws dynamodb delete-table --table-name ${tableName}`,
  ].join('\n')
}

async function describeTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}
