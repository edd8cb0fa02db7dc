import { createHash } from 'node:crypto'
import { readSmokePayload } from './read-smoke-payload.ts'
import { describeRelease } from './release.ts'
import { aliasResource, LIVE_ALIAS, SHIFTED_FUNCTIONS, type ShiftedFunction } from './shifted-functions.ts'
import type { Template, TemplateResource } from './template.ts'

interface DeployedFunction {
  /** The alias through which routes and schedules call the function. */
  targetAlias?: { name: string; logicalId: string }
  versionFunction?: boolean
  /** The name of the version's resource. The framework sets it when it compiles the function. */
  versionLogicalId?: string
}

interface Serverless {
  service: {
    functions: Record<string, unknown>
    getFunction(name: string): DeployedFunction
    provider: { compiledCloudFormationTemplate: Template }
  }
  configurationInput: { custom: { trafficShift: string } }
}

/**
 * A plugin of the framework. With the setting `trafficShift`, the query functions get versions and an alias. Routes and
 * schedules call the alias. CodeDeploy moves the alias from one version to the next (traffic.yml).
 */
export default function shiftTraffic({ service, configurationInput }: Serverless) {
  /**
   * Returns the names of the Lambda functions whose traffic is shifted. Each call computes the names, because the
   * framework creates plugins before it resolves variables.
   */
  const shifted = () =>
    configurationInput.custom.trafficShift === 'none'
      ? []
      : (Object.keys(SHIFTED_FUNCTIONS) as ShiftedFunction[])
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
        const versions = names.map(name => service.getFunction(name).versionLogicalId)
        const release = releaseOf(versions)
        const template = service.provider.compiledCloudFormationTemplate
        for (const name of names) {
          const part = SHIFTED_FUNCTIONS[name]
          const { versionLogicalId = '' } = service.getFunction(name)
          const version = `${part}LambdaVersion${release}`
          nameRelease(template, { part, from: versionLogicalId, to: version, release })
          service.getFunction(name).versionLogicalId = version
          template.Resources[aliasResource(name)] = liveAlias(part, version)
        }
      },
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        for (const name of shifted()) {
          const part = SHIFTED_FUNCTIONS[name]
          const { versionLogicalId = '' } = service.getFunction(name)
          service.provider.compiledCloudFormationTemplate = watchVersion(
            service.provider.compiledCloudFormationTemplate,
            { part, version: versionLogicalId },
          )
        }
      },
    },
  }
}

const RELEASE_DIGITS = 8

/**
 * Returns the name of a release. A release is the versions that are published together. A change of one function
 * publishes a version of every function, so that a rollback covers the whole release.
 */
function releaseOf(versions: (string | undefined)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(versions)).digest('hex')
  return hash.slice(0, RELEASE_DIGITS)
}

interface NamedVersion {
  part: string
  from: string
  to: string
  release: string
}

/**
 * Names a function's version after the release. Lambda publishes a version only for a changed function, so the
 * function's description also gets the release.
 */
function nameRelease({ Resources, Outputs = {} }: Template, { part, from, to, release }: NamedVersion) {
  const { [from]: version, [`${part}LambdaFunction`]: func } = Resources
  if (!version || !func) throw new Error(`${part} has no version whose traffic could be shifted`)
  delete Resources[from]
  Resources[to] = { ...version, Properties: { ...version.Properties, Description: describeRelease(release) } }
  func.Properties = {
    ...func.Properties,
    Description: `${func.Properties?.Description}. ${describeRelease(release)}`,
  }
  for (const output of Object.values(Outputs)) {
    if ((output.Value as { Ref?: string }).Ref === from) output.Value = { Ref: to }
  }
}

/** Stands for a function's version in YAML files, because the version's name depends on the release. */
const placeholderOf = (part: string) => `${part}Version`

/** Makes the version's alarms watch the new version, and makes the check test it before it gets traffic. */
function watchVersion(template: Template, { part, version }: { part: string; version: string }): Template {
  const text = JSON.stringify(template).replaceAll(`"${placeholderOf(part)}"`, `"${version}"`)
  const watched = JSON.parse(text) as Template
  const check = watched.Resources.CheckVersionLambdaFunction
  const { Environment } = (check?.Properties ?? {}) as { Environment?: { Variables?: object } }
  const name = part.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  Object.assign(Environment?.Variables ?? {}, {
    [`${name}_VERSION`]: { Ref: version },
    [`${name}_PAYLOAD`]: readSmokePayload(watched, part),
  })
  return watched
}

function liveAlias(part: string, versionLogicalId: string): TemplateResource {
  return {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName: { Ref: `${part}LambdaFunction` },
      FunctionVersion: { 'Fn::GetAtt': [versionLogicalId, 'Version'] },
      Name: LIVE_ALIAS,
    },
    // Traffic must not move before the new version's alarms and check exist.
    DependsOn: [
      `${part}VersionAlarm`,
      'VersionLatencyAlarm',
      'CheckVersionLambdaFunction',
      'CheckVersionRole',
    ],
    UpdatePolicy: {
      CodeDeployLambdaAliasUpdate: {
        BeforeAllowTrafficHook: { Ref: 'CheckVersionLambdaFunction' },
        ApplicationName: { Ref: 'TrafficShift' },
        DeploymentGroupName: { Ref: `${part}TrafficShift` },
      },
    },
  }
}
