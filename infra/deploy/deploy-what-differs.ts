import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CloudFormationClient, type CloudFormationClientConfig } from '@aws-sdk/client-cloudformation'
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  type LambdaClientConfig,
} from '@aws-sdk/client-lambda'
import { readDeployed, readStatus } from './read-deployed.ts'
import { readLiveVersions } from './read-live-versions.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'

type ClientConfig = CloudFormationClientConfig & LambdaClientConfig

interface Serverless {
  serviceDir: string
  service: {
    getAllFunctions(): string[]
    getFunction(name: string): { name: string }
    provider: { compiledCloudFormationTemplate: Template; shouldNotDeploy?: boolean }
  }
  getProvider(name: 'aws'): {
    getStage(): string
    getAwsSdkV3Config(): Promise<ClientConfig>
    naming: { getStackName(): string }
  }
  classes: { Error: new (message: string, code: string) => Error }
}

/** The folder that the framework uploads from. */
const ARTIFACTS = '.serverless'
/** The statuses of a completed update. After any other status, the stack may differ from its template. */
const COMPLETE = ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE']

/**
 * A plugin of the framework. Skips a deployment only if the stack and its functions already match the new template. The
 * framework itself would compare the new template with the last upload, which a rollback does not change.
 */
export default function deployWhatDiffers(serverless: Serverless, { force }: { force?: boolean }) {
  const { service } = serverless
  return {
    hooks: {
      'after:aws:deploy:deploy:checkForChanges': async () => {
        if (force) return
        const aws = serverless.getProvider('aws')
        const config = await aws.getAwsSdkV3Config()
        const stackName = aws.naming.getStackName()
        const lambda = new LambdaClient(config)
        const cloudFormation = new CloudFormationClient(config)
        const deployed = await readDeployed(cloudFormation, stackName)
        const isSame =
          deployed !== undefined &&
          isSameTemplate(deployed, service.provider.compiledCloudFormationTemplate) &&
          COMPLETE.includes(await readStatus(cloudFormation, stackName)) &&
          (await isSameCode(lambda))
        service.provider.shouldNotDeploy = isSame
        if (!isSame) return
        const live = await readLiveVersions({ cloudFormation, lambda, stackName, deployed })
        const moved = live.find(each => each.stackVersion && each.liveVersion !== each.stackVersion)
        if (!moved) return
        throw new serverless.classes.Error(
          `The stack has this version already, and ${moved.functionName} was shifted back from version ${moved.stackVersion} to ${moved.liveVersion}. To shift the traffic to it again: npm run rollback -- --stage ${aws.getStage()} --to stack`,
          'LED_BACK',
        )
      },
    },
  }

  async function isSameCode(lambda: LambdaClient): Promise<boolean> {
    const same = service.getAllFunctions().map(async key => {
      const zip = await readFile(path.join(serverless.serviceDir, ARTIFACTS, `${key}.zip`))
      const { CodeSha256 } = await lambda.send(
        new GetFunctionConfigurationCommand({ FunctionName: service.getFunction(key).name }),
      )
      return CodeSha256 === createHash('sha256').update(zip).digest('base64')
    })
    return (await Promise.all(same)).every(Boolean)
  }
}

/** Whether two templates create equal stacks. Ignores the locations of packages, update policies and descriptions. */
export const isSameTemplate = (one: Template, other: Template): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other))

function comparable(template: Template): unknown {
  const { Resources, Outputs } = leaveOutWhatIsOff(template)
  const text = JSON.stringify({ Resources, Outputs }, (name, value) =>
    ['S3Key', 'UpdatePolicy', 'Description'].includes(name) ? undefined : value,
  )
  return JSON.parse(text)
}
