import { LambdaClient } from '@aws-sdk/client-lambda'
import type { Serverless } from '../../../infra/deploy/framework.ts'
import moveAtOnce from '../../../infra/deploy/move-at-once.ts'
import { readTableDefinition } from '../../../infra/deploy/read-table-definition.ts'
import { SHIFTED_FUNCTIONS, type ShiftedFunction } from '../../../infra/deploy/shifted-functions.ts'
import type { Template } from '../../../infra/deploy/template.ts'
import { type CheckRequest, createVersionCheck } from '../../../lib/release/create-version-check.ts'
import { listen } from '../http/listen.ts'
import { type AwsAnswer, type AwsCall, startRecordingAws } from './recording-aws.ts'

const STACK = 'blockchain-events-prod'
const KEYS = Object.keys(SHIFTED_FUNCTIONS) as ShiftedFunction[]

interface Version {
  Version: string
  Description: string
  LastModified: string
  resource: string
  Environment: { Variables: { EVENTS_TABLE: string } }
}

interface LambdaFunction {
  latest: Omit<Version, 'Version' | 'LastModified' | 'resource'>
  versions: Version[]
  alias: string | undefined
  weights: Record<string, number>
}

interface Stack {
  template: Template
  status: string
  physical: Record<string, string>
}

export type EmulatedStage = Awaited<ReturnType<typeof startEmulatedStage>>

/**
 * Starts a stage in which CloudFormation, CodeDeploy and Lambda are emulated as far as releases need them. The stage
 * deploys the packaged template under a release's name. Each deployment runs the real plugin `moveAtOnce` and the real
 * function that checks new versions. The emulation follows three pages, which say, in this order, what happens to the
 * versions of an undone update, that Lambda publishes no version of unchanged code, and how traffic is shifted:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export async function startEmulatedStage(packaged: Template) {
  const functions = Object.fromEntries(
    KEYS.map(key => [`${STACK}-${key}`, { versions: [], alias: undefined, weights: {} }]),
  ) as unknown as Record<string, LambdaFunction>
  const broken = new Set<string>()
  let stack: Stack | undefined
  let before: { stack: Stack | undefined; functions: typeof functions } | undefined
  let shift: 'IN_PROGRESS' | undefined
  let minutes = 0

  const aws = await startRecordingAws(call => answers[call.name]?.(call))
  const functionIn = ({ input }: AwsCall) => functions[String(input.FunctionName)] as LambdaFunction
  const findVersion = ({ versions, alias }: LambdaFunction, qualifier: unknown) =>
    versions.find(({ Version }) => Version === (qualifier === 'live' ? alias : qualifier))
  const releaseOf = (version: Version | undefined) =>
    /Release (\w+)/.exec(version?.Description ?? '')?.[1] ?? 'none'

  const answers: Record<string, (call: AwsCall) => AwsAnswer> = {
    GetTemplate: () =>
      stack
        ? { TemplateBody: JSON.stringify(stack.template) }
        : { error: 'ValidationError', message: `Stack with id ${STACK} does not exist` },
    DescribeStacks: () => ({ Stacks: [{ StackName: STACK, StackStatus: stack?.status }] }),
    DescribeStackResource: ({ input }) => ({
      StackResourceDetail: {
        PhysicalResourceId: `arn:f:${stack?.physical[String(input.LogicalResourceId)]}`,
      },
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
      deployments: shift && input.deploymentGroupName === 'changes' ? ['d-1'] : [],
    }),
    StopDeployment: () => {
      shift = undefined
      return { status: 'Pending' }
    },
    GetDeployment: () => ({ deploymentInfo: { status: shift ? 'InProgress' : 'Stopped' } }),
  }

  /** Publishes a version, or returns the reason why Lambda does not publish it. */
  function publish(func: LambdaFunction, resource: string): string | { number: string } {
    const last = func.versions.at(-1)
    if (last && last.Description === func.latest.Description)
      return `A version for this Lambda function exists ( ${last.Version} ).`
    minutes += 1
    const number = String(func.versions.reduce((most, { Version }) => Math.max(most, Number(Version)), 0) + 1)
    const LastModified = new Date(Date.UTC(2026, 10, 1, 0, minutes)).toISOString()
    func.versions.push({ ...func.latest, Version: number, LastModified, resource })
    return { number }
  }

  /** Returns the reason if the custom resource fails. */
  async function check(properties: Record<string, unknown>, physical: Record<string, string>) {
    const given: string[] = []
    const listening = await listen((request, response) => {
      request.on('data', data => given.push(String(data)))
      request.on('end', () => response.end())
    })
    const resolved = JSON.parse(JSON.stringify(properties), (_, value) => {
      if (value?.Ref)
        return `${STACK}-${KEYS.find(key => value.Ref === `${SHIFTED_FUNCTIONS[key]}LambdaFunction`)}`
      return value?.['Fn::GetAtt'] ? physical[value['Fn::GetAtt'][0]] : value
    })
    await createVersionCheck({
      lambda: new LambdaClient({ ...aws.config, maxAttempts: 1 }),
      liveAlias: 'live',
    })({
      RequestType: 'Create',
      ResponseURL: listening.baseUrl,
      ResourceProperties: resolved,
    } as CheckRequest)
    await listening.stop()
    const { Status, Reason } = JSON.parse(given.join(''))
    return Status === 'SUCCESS' ? undefined : Reason
  }

  /** Runs the update until it ends or begins to shift traffic. Returns the reason if CloudFormation must undo it. */
  async function update(next: Template): Promise<string | undefined> {
    const had = stack?.template.Resources ?? {}
    const created = Object.entries(next.Resources).filter(([name]) => !(name in had))
    const physical = { ...stack?.physical }
    const wasStack = stack
    stack = { template: next, status: 'UPDATE_IN_PROGRESS', physical }
    for (const key of KEYS) {
      const func = functions[`${STACK}-${key}`] as LambdaFunction
      const { Properties } = next.Resources[`${SHIFTED_FUNCTIONS[key]}LambdaFunction`] ?? {}
      func.latest = Properties as unknown as LambdaFunction['latest']
      for (const [name, { Type }] of created) {
        if (Type !== 'AWS::Lambda::Version' || !name.startsWith(`${SHIFTED_FUNCTIONS[key]}Lambda`)) continue
        const published = publish(func, name)
        if (typeof published === 'string') return published
        physical[name] = published.number
      }
    }
    for (const [, { Type, Properties = {} }] of created) {
      const reason = Type === 'AWS::CloudFormation::CustomResource' && (await check(Properties, physical))
      if (reason) return reason
    }
    for (const key of KEYS) {
      const func = functions[`${STACK}-${key}`] as LambdaFunction
      const { Properties, UpdatePolicy } = next.Resources[`${SHIFTED_FUNCTIONS[key]}LiveAlias`] ?? {}
      const { FunctionVersion } = { ...Properties } as { FunctionVersion: { 'Fn::GetAtt': string[] } }
      const [name = ''] = FunctionVersion['Fn::GetAtt']
      const number = physical[name] ?? ''
      if (wasStack && UpdatePolicy && wasStack.physical[name] !== number) {
        if (!Object.values(wasStack.physical).includes(func.alias ?? ''))
          return 'CodeDeploy: another CurrentVersion'
        shift = 'IN_PROGRESS'
        func.weights = { [number]: 0.1 }
      } else if (!UpdatePolicy || !wasStack) {
        Object.assign(func, { alias: number, weights: {} })
      }
    }
    if (!shift) stack.status = 'UPDATE_COMPLETE'
    return undefined
  }

  /** Undoes the current update: the code, the aliases, and those new versions that CloudFormation does not retain. */
  function undo() {
    if (!before || !stack) throw new Error('No update is in progress')
    const { Resources } = stack.template
    for (const [name, func] of Object.entries(functions)) {
      const { latest, alias, versions } = before.functions[name] as LambdaFunction
      const kept = func.versions.filter(
        ({ Version, resource }) =>
          versions.some(each => each.Version === Version) ||
          Resources[resource]?.DeletionPolicy !== 'RetainExceptOnCreate',
      )
      Object.assign(func, { latest, alias, weights: {}, versions: kept })
    }
    shift = undefined
    stack = before.stack && { ...before.stack, status: 'UPDATE_ROLLBACK_COMPLETE' }
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
      const provider = { compiledCloudFormationTemplate: next }
      const { hooks } = moveAtOnce(
        {
          service: { provider },
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
      before = structuredClone({ stack, functions })
      const reason = await update(next)
      if (reason) undo()
      return reason
    },
    endShift() {
      for (const func of Object.values(functions)) {
        Object.assign(func, { alias: Object.keys(func.weights)[0], weights: {} })
      }
      shift = undefined
      if (stack) stack.status = 'UPDATE_COMPLETE'
    },
    /** Shifts traffic back as CodeDeploy does when an alarm fires, without undoing the update. */
    leadBack() {
      shift = undefined
      for (const func of Object.values(functions)) func.weights = {}
    },
    undo,
    state() {
      const of = Object.values(functions).map(func => ({
        alias: [func.alias, ...Object.keys(func.weights)]
          .map(number => releaseOf(findVersion(func, number)))
          .join('+'),
        versions: func.versions.map(releaseOf).join(' '),
      }))
      const [{ alias, versions } = { alias: '', versions: '' }] = of
      if (of.some(each => each.alias !== alias || each.versions !== versions)) return JSON.stringify(of)
      const [, released] = /LambdaVersion(\w{8})"/.exec(JSON.stringify(stack?.template.Resources)) ?? []
      return `alias ${alias}, versions ${versions}, stack ${released} ${stack?.status}`
    },
  }
}
