import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3'
import {
  findManyIndexChanges,
  findSwitchedOff,
  findTableMove,
  type SwitchedOff,
} from './find-switched-off.ts'
import { findUnusableTable, type TableToUse } from './find-unusable-table.ts'
import type { Serverless } from './framework.ts'
import { readDeployed } from './read-deployed.ts'
import { settingsFile, settingsOf } from './read-settings.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'

/** A Serverless Framework plugin. Rejects updates that cannot work or that switch off more than the command names. */
export default function refuseSwitchingOff(
  serverless: Serverless,
  { param = [], timestamp }: { param?: string[]; timestamp?: string },
) {
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
    const all = [...findSwitchedOff(deployed, next), ...findTableMove(deployed, next)]
    const off = all.filter(({ name }) => !named.includes(name))
    if (off.length > 0) refuse(explainSwitchedOff(off, { stackName, stage, named }))
  }

  return {
    hooks: {
      'before:aws:deploy:deploy:createStack': async () => {
        const config = await provider.getAwsSdkV3Config()
        const { compiledCloudFormationTemplate: next, stackTags } = serverless.service.provider
        const deployed = await readDeployed(new CloudFormationClient(config), stackName)
        // The templates are compared before the table is checked, because the comparison's error is more helpful if a
        // setting was forgotten.
        if (deployed) compare(deployed, next)
        const settings = settingsOf(serverless.configurationInput.params, stage)
        const wanted = { ...settings, tags: stackTags } as unknown as TableToUse
        const problem = await findUnusableTable(new DynamoDBClient(config), wanted, deployed)
        if (problem) refuse(problem)
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

function explainSwitchedOff(
  off: SwitchedOff[],
  { stackName, stage, named }: { stackName: string; stage: string; named: string[] },
): string {
  const names = [...named, ...off.map(({ name }) => name)].join(',')
  return [
    `This deployment would switch off parts of ${stackName}:`,
    ...off.map(({ name, becomes }) => `  ${name}: ${becomes}`),
    `If a setting is missing, write it into ${settingsFile(stage)}.`,
    `If this is intended, confirm it with the names of these parts: --param "switchOff=${names}"`,
  ].join('\n')
}

/** Undefined for an unknown deployment, which the framework itself reports as an error. */
async function readEarlier(
  client: S3Client,
  { Bucket, folder, timestamp, file }: Record<'Bucket' | 'folder' | 'timestamp' | 'file', string>,
): Promise<Template | undefined> {
  const date = new Date(/^\d+$/.test(timestamp) ? Number(timestamp) : timestamp)
  if (Number.isNaN(date.valueOf())) return undefined
  const Key = `${folder}/${date.valueOf()}-${date.toISOString()}/${file}`
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
    return Body && leaveOutWhatIsOff(JSON.parse(await Body.transformToString()))
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}
