import type { Template, TemplateResource } from './template.ts'

interface DeployedFunction {
  /** What schedules and routes call. */
  targetAlias?: { name: string; logicalId: string }
  versionFunction?: boolean
  /** Known once the function is compiled. */
  versionLogicalId?: string
}

interface Serverless {
  service: {
    getFunction(name: string): DeployedFunction
    provider: { compiledCloudFormationTemplate: Template }
  }
  configurationInput: { custom: { trafficShift: string } }
}

/** Those whose traffic is shifted, and the parts of their names in the template. */
const FUNCTIONS = { userEvents: 'UserEvents', tokenEvents: 'TokenEvents', changes: 'Changes' }
const ALIAS = 'live'

/**
 * A plugin of the framework: where the setting `trafficShift` says so, the query functions have versions, and an
 * alias that routes and schedules call. CodeDeploy leads it from one version to the next (traffic.yml).
 */
export default function shiftTraffic({ service, configurationInput }: Serverless) {
  /** Known once variables are resolved, which is after plugins are made. */
  const shifted = () => (configurationInput.custom.trafficShift === 'none' ? [] : Object.entries(FUNCTIONS))
  return {
    hooks: {
      'before:package:compileFunctions': () => {
        for (const [name, part] of shifted()) {
          Object.assign(service.getFunction(name), {
            versionFunction: true,
            targetAlias: { name: ALIAS, logicalId: `${part}LiveAlias` },
          })
        }
      },
      'after:package:compileFunctions': () => {
        for (const [name, part] of shifted()) {
          const { versionLogicalId } = service.getFunction(name)
          if (!versionLogicalId) throw new Error(`${name} has no version whose traffic could be shifted`)
          const { Resources } = service.provider.compiledCloudFormationTemplate
          Resources[`${part}LiveAlias`] = liveAlias(part, versionLogicalId)
        }
      },
    },
  }
}

function liveAlias(part: string, versionLogicalId: string): TemplateResource {
  return {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName: { Ref: `${part}LambdaFunction` },
      FunctionVersion: { 'Fn::GetAtt': [versionLogicalId, 'Version'] },
      Name: ALIAS,
    },
    UpdatePolicy: {
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: 'TrafficShift' },
        DeploymentGroupName: { Ref: `${part}TrafficShift` },
      },
    },
  }
}
