import { createHash } from 'node:crypto'
import type { Serverless } from './framework.ts'
import {
  aliasResource,
  describeRelease,
  LIVE_ALIAS,
  readSmokePayload,
  SHIFTED_FUNCTIONS,
  SHIFTED_NAMES,
} from './shifted-functions.ts'
import type { Template, TemplateResource } from './template.ts'

/**
 * A Serverless Framework plugin. With the setting `trafficShift`, each query function gets versions, and an alias
 * through which routes and schedules call it. CodeDeploy moves the alias from one version to the next (traffic.yml).
 */
export default function shiftTraffic({ service, configurationInput }: Serverless) {
  /** Computed at each call, because the framework creates plugins before it resolves variables. */
  const shifted = () => (configurationInput.custom.trafficShift === 'none' ? [] : SHIFTED_NAMES)
  return {
    hooks: {
      initialize: () => {
        if (shifted().length === 0) delete service.functions.checkVersion
      },
      'before:package:compileFunctions': () => {
        for (const name of shifted()) {
          Object.assign(service.getFunction(name), {
            versionFunction: true,
            targetAlias: { name: LIVE_ALIAS, logicalId: aliasResource(name) },
          })
        }
      },
      'after:package:compileFunctions': () => {
        const names = shifted()
        const release = releaseOf(names.map(name => service.getFunction(name).versionLogicalId))
        const template = service.provider.compiledCloudFormationTemplate
        const { SERVICE_VERSION } = service.functions.status?.environment ?? {}
        const description = describeRelease({ release, version: String(SERVICE_VERSION) })
        for (const name of names) {
          const part = SHIFTED_FUNCTIONS[name]
          const { versionLogicalId = '' } = service.getFunction(name)
          const version = `${part}LambdaVersion${release}`
          nameRelease(template, { part, from: versionLogicalId, to: version, description })
          service.getFunction(name).versionLogicalId = version
          template.Resources[aliasResource(name)] = liveAlias(part, version)
        }
      },
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        const { provider } = service
        const versions = shifted().map(name => ({
          part: SHIFTED_FUNCTIONS[name],
          version: service.getFunction(name).versionLogicalId ?? '',
        }))
        const template = versions.reduce(watchVersion, provider.compiledCloudFormationTemplate)
        addCheck(template, versions)
        provider.compiledCloudFormationTemplate = template
      },
    },
  }
}

const RELEASE_DIGITS = 8

/** If one function has changed, all functions get a new version, so that a rollback moves all of them together. */
function releaseOf(versions: (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, RELEASE_DIGITS)
}

/** The logical name of a function's new version. `part` is the prefix of the function's resources in the template. */
interface NewVersion {
  part: string
  version: string
}

/**
 * Names a function's version after the release. Lambda publishes a version only if the function has changed since the
 * last version, so the release is written into the function's description, and the version inherits this description
 * (https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html). If the deployment of a release is rolled
 * back, its versions are deleted, because Lambda would otherwise refuse to publish the release again.
 */
function nameRelease(
  { Resources, Outputs = {} }: Template,
  { part, from, to, description }: Record<'part' | 'from' | 'to' | 'description', string>,
) {
  const { [from]: version, [`${part}LambdaFunction`]: func } = Resources
  if (!version?.Properties || !func)
    throw new Error(
      `The template lacks ${part}LambdaFunction or its version: correct the name ${part} in SHIFTED_FUNCTIONS`,
    )
  delete Resources[from]
  delete version.Properties.Description
  Resources[to] = { ...version, DeletionPolicy: 'RetainExceptOnCreate' }
  func.Properties = { ...func.Properties, Description: `${func.Properties?.Description}. ${description}` }
  for (const output of Object.values(Outputs)) {
    if ((output.Value as { Ref?: string }).Ref === from) output.Value = { Ref: to }
  }
}

/** Replaces the alarms' placeholder for a function's version with the version's name, which depends on the release. */
const watchVersion = (template: Template, { part, version }: NewVersion): Template =>
  JSON.parse(JSON.stringify(template).replaceAll(`"${part}Version"`, `"${version}"`))

const checkResource = (version: string) => version.replace(/^.*LambdaVersion/, 'LambdaVersionCheck')

/**
 * Adds a resource with a new name for each release, because `checkVersion` checks versions only when CloudFormation
 * creates a resource.
 */
function addCheck(template: Template, versions: NewVersion[]) {
  const [first] = versions
  if (!first) return
  template.Resources[checkResource(first.version)] = {
    Type: 'AWS::CloudFormation::CustomResource',
    Properties: {
      ServiceToken: { 'Fn::GetAtt': ['CheckVersionLambdaFunction', 'Arn'] },
      ServiceTimeout: 120,
      questions: versions.map(({ part, version }) => ({
        functionName: { Ref: `${part}LambdaFunction` },
        qualifier: { 'Fn::GetAtt': [version, 'Version'] },
        payload: readSmokePayload(template, part),
      })),
    },
  }
}

function liveAlias(part: string, versionLogicalId: string): TemplateResource {
  return {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName: { Ref: `${part}LambdaFunction` },
      FunctionVersion: { 'Fn::GetAtt': [versionLogicalId, 'Version'] },
      Name: LIVE_ALIAS,
    },
    // Traffic moves only after the new versions have answered and are watched by alarms.
    DependsOn: [`${part}VersionAlarm`, 'VersionLatencyAlarm', checkResource(versionLogicalId)],
    UpdatePolicy: {
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: 'TrafficShift' },
        DeploymentGroupName: { Ref: `${part}TrafficShift` },
      },
    },
  }
}
