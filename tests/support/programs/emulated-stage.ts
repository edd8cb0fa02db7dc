import { text } from 'node:stream/consumers'
import { LambdaClient } from '@aws-sdk/client-lambda'
import type { Serverless } from '../../../infra/deploy/framework.ts'
import moveAtOnce from '../../../infra/deploy/move-at-once.ts'
import { readTableDefinition } from '../../../infra/deploy/read-table-definition.ts'
import {
  aliasResource,
  readRelease,
  SHIFTED_FUNCTIONS,
  SHIFTED_NAMES,
  type ShiftedFunction,
} from '../../../infra/deploy/shifted-functions.ts'
import type { Template } from '../../../infra/deploy/template.ts'
import { type CheckRequest, createVersionCheck } from '../../../lib/release/create-version-check.ts'
import { listen } from '../http/listen.ts'
import { type AwsAnswer, type AwsCall, startRecordingAws } from './recording-aws.ts'

const STACK = 'blockchain-events-prod'

interface Version {
  Version: string
  Description: string
  LastModified: string
  resource: string
}

interface LambdaFunction {
  latest?: Pick<Version, 'Description'>
  versions: Version[]
  alias?: string
  weights: Record<string, number>
}

interface Stage {
  template?: Template
  status?: string
  functions: Record<string, LambdaFunction>
}

const nameOf = (key: ShiftedFunction | undefined) => `${STACK}-${key}`
const functionResource = (key: ShiftedFunction) => `${SHIFTED_FUNCTIONS[key]}LambdaFunction`

const versionIn = ({ Resources }: Template, key: ShiftedFunction) =>
  Object.keys(Resources).find(name => name.startsWith(`${SHIFTED_FUNCTIONS[key]}LambdaVersion`)) ?? ''
const releaseOf = (described: { Description?: string } | undefined) =>
  readRelease(described?.Description).release ?? 'none'

export type EmulatedStage = Awaited<ReturnType<typeof startEmulatedStage>>

/**
 * Starts a stage in which CloudFormation, CodeDeploy and Lambda are emulated as far as releases need them. The stage
 * deploys the packaged template under a release's name. Each deployment runs the real plugin `moveAtOnce` and the real
 * function that checks new versions. An undone update loses its versions, because
 * their deletion policy is `RetainExceptOnCreate`. The emulation follows two pages, which say that Lambda publishes no
 * version of unchanged code, and how traffic is shifted:
 * https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export async function startEmulatedStage(packaged: Template) {
  const broken = new Set<string>()
  let stage: Stage = {
    functions: Object.fromEntries(SHIFTED_NAMES.map(key => [nameOf(key), { versions: [], weights: {} }])),
  }
  let before = stage
  let isShifting = false
  let minutes = 0

  const aws = await startRecordingAws(call => answers[call.name]?.(call))
  const functionIn = ({ input }: AwsCall) => stage.functions[String(input.FunctionName)] as LambdaFunction
  const findVersion = ({ versions, alias }: LambdaFunction, qualifier: unknown) =>
    versions.find(({ Version }) => Version === (qualifier === 'live' ? alias : qualifier))
  const numberOf = (resource: unknown) =>
    Object.values(stage.functions)
      .flatMap(({ versions }) => versions)
      .findLast(version => version.resource === resource)?.Version

  const answers: Record<string, (call: AwsCall) => AwsAnswer> = {
    GetTemplate: () =>
      stage.template
        ? { TemplateBody: JSON.stringify(stage.template) }
        : { error: 'ValidationError', message: `Stack with id ${STACK} does not exist` },
    DescribeStacks: () => ({ Stacks: [{ StackName: STACK, StackStatus: stage.status }] }),
    DescribeStackResource: ({ input }) => ({
      StackResourceDetail: { PhysicalResourceId: `arn:f:${numberOf(input.LogicalResourceId)}` },
    }),
    GetAlias: call => {
      const { alias, weights } = functionIn(call)
      return { FunctionVersion: alias, RoutingConfig: { AdditionalVersionWeights: weights } }
    },
    GetFunctionConfiguration: call =>
      findVersion(functionIn(call), call.input.Qualifier) ?? { error: 'ResourceNotFoundException' },
    ListVersionsByFunction: call => ({ Versions: [{ Version: '$LATEST' }, ...functionIn(call).versions] }),
    DescribeTable: () => ({ Table: { ...readTableDefinition(), TableStatus: 'ACTIVE' } }),
    Invoke: call => {
      const version = findVersion(functionIn(call), call.input.Qualifier)
      if (!version) return { error: 'ResourceNotFoundException', message: 'Function not found' }
      return broken.has(releaseOf(version))
        ? { errorType: 'Runtime.ImportModuleError', errorMessage: 'Cannot find module' }
        : { events: [{}] }
    },
    UpdateAlias: call => {
      const { FunctionVersion, RoutingConfig } = call.input as Record<string, object>
      Object.assign(functionIn(call), {
        alias: FunctionVersion,
        weights: { ...(RoutingConfig as { AdditionalVersionWeights?: object })?.AdditionalVersionWeights },
      })
      return {}
    },
    ListDeployments: ({ input }) => ({
      deployments: isShifting && input.deploymentGroupName === 'changes' ? ['d-1'] : [],
    }),
    StopDeployment: () => {
      isShifting = false
      return { status: 'Pending' }
    },
    GetDeployment: () => ({ deploymentInfo: { status: isShifting ? 'InProgress' : 'Stopped' } }),
  }

  /** Publishes a version, or returns the reason why Lambda does not publish it. */
  function publish({ latest, versions }: LambdaFunction, resource: string): string | undefined {
    const last = versions.at(-1)
    if (!latest || last?.Description === latest.Description)
      return `A version for this Lambda function exists ( ${last?.Version} ).`
    minutes += 1
    const number = Number(last?.Version ?? 0) + 1
    const LastModified = new Date(Date.UTC(2026, 10, 1, 0, minutes)).toISOString()
    versions.push({ ...latest, Version: String(number), LastModified, resource })
    return undefined
  }

  /** Returns the reason if the custom resource fails. */
  async function check(properties: Record<string, unknown>): Promise<string | undefined> {
    let given = ''
    const listening = await listen(async (request, response) => {
      given = await text(request)
      response.end()
    })
    const ResourceProperties = JSON.parse(JSON.stringify(properties), (_, value) => {
      if (value?.Ref) return nameOf(SHIFTED_NAMES.find(key => value.Ref === functionResource(key)))
      return value?.['Fn::GetAtt'] ? numberOf(value['Fn::GetAtt'][0]) : value
    })
    const lambda = new LambdaClient({ ...aws.config, maxAttempts: 1 })
    const request = { RequestType: 'Create', ResponseURL: listening.baseUrl, ResourceProperties }
    await createVersionCheck({ lambda, liveAlias: 'live' })(request as CheckRequest)
    await listening.stop()
    const { Status, Reason } = JSON.parse(given)
    return Status === 'SUCCESS' ? undefined : Reason
  }

  /** Runs the update until it ends or begins to shift traffic. Returns the reason if CloudFormation must undo it. */
  async function update(next: Template): Promise<string | undefined> {
    const { template: deployed, functions } = stage
    const isNew = (resource: string) => !deployed || !(resource in deployed.Resources)
    Object.assign(stage, { template: next, status: 'UPDATE_IN_PROGRESS' })
    for (const key of SHIFTED_NAMES) {
      const func = functions[nameOf(key)] as LambdaFunction
      func.latest = next.Resources[functionResource(key)]?.Properties as unknown as Version
      const resource = versionIn(next, key)
      const reason = isNew(resource) && publish(func, resource)
      if (reason) return reason
    }
    for (const [name, { Type, Properties = {} }] of Object.entries(next.Resources)) {
      const isCheck = Type === 'AWS::CloudFormation::CustomResource' && isNew(name)
      const reason = isCheck && (await check(Properties))
      if (reason) return reason
    }
    for (const key of SHIFTED_NAMES) {
      const func = functions[nameOf(key)] as LambdaFunction
      const resource = versionIn(next, key)
      const number = String(numberOf(resource))
      if (!deployed || !next.Resources[aliasResource(key)]?.UpdatePolicy) {
        Object.assign(func, { alias: number, weights: {} })
      } else if (isNew(resource)) {
        if (func.alias !== numberOf(versionIn(deployed, key))) return 'CodeDeploy: another CurrentVersion'
        isShifting = true
        func.weights = { [number]: 0.1 }
      }
    }
    if (!isShifting) stage.status = 'UPDATE_COMPLETE'
    return undefined
  }

  function undo() {
    isShifting = false
    stage = { ...before, status: 'UPDATE_ROLLBACK_COMPLETE' }
  }

  return {
    aws,
    broken,
    /** The answers by operation. A test may replace any of them. */
    answers,
    /**
     * Deploys a release. Returns the reason if CloudFormation undoes the update. Does not complete a traffic shift:
     * call `endShift` for that.
     */
    async deploy(release: string, ...param: string[]): Promise<string | undefined> {
      const next = JSON.parse(
        JSON.stringify(packaged).replaceAll(/(?<=LambdaVersion(?:Check)?|Release )[\da-f]{8}/g, release),
      ) as Template
      const { hooks } = moveAtOnce(
        {
          service: { provider: { compiledCloudFormationTemplate: next } },
          getProvider: () => ({
            getAwsSdkV3Config: async () => aws.config,
            naming: { getStackName: () => STACK },
          }),
          classes: { Error },
        } as unknown as Serverless,
        { param },
        { log: { notice: () => undefined } },
      )
      await hooks['before:aws:deploy:deploy:checkForChanges']()
      before = structuredClone(stage)
      const reason = await update(next)
      if (reason) undo()
      return reason
    },
    endShift() {
      for (const func of Object.values(stage.functions)) {
        Object.assign(func, { alias: Object.keys(func.weights)[0], weights: {} })
      }
      isShifting = false
      stage.status = 'UPDATE_COMPLETE'
    },
    /** Shifts traffic back as CodeDeploy does when an alarm fires, without undoing the update. */
    leadBack() {
      isShifting = false
      for (const func of Object.values(stage.functions)) func.weights = {}
    },
    /** Undoes the current update: the code, the aliases, and the new versions. */
    undo,
    state() {
      const told = Object.values(stage.functions).map(func => {
        const numbers = [func.alias, ...Object.keys(func.weights)]
        const alias = numbers.map(number => releaseOf(findVersion(func, number))).join('+')
        return `alias ${alias}, versions ${func.versions.map(releaseOf).join(' ')}`
      })
      const [, released] = /LambdaVersion(\w{8})"/.exec(JSON.stringify(stage.template)) ?? []
      return `${[...new Set(told)].join(' or ')}, stack ${released} ${stage.status}`
    },
  }
}
