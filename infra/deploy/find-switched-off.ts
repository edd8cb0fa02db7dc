import { isDeepStrictEqual } from 'node:util'
import { leaveOutWhatIsOff, type Template, type TemplateResource } from './template.ts'

/** Something that the stack has on, and would not have any more. */
export interface SwitchedOff {
  /** What it is called where it is switched off on purpose. */
  name: string
  becomes: string
}

type Properties = Record<string, unknown>

interface Switch {
  type: string
  property: string
  isOn(properties: Properties, resource: TemplateResource): boolean
  becomes: string
}

/** What comes and goes with the code: versions of functions, and how the parts of the stack reach each other. */
const PLUMBING = [
  'AWS::Lambda::Version',
  'AWS::Lambda::Permission',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::ApiGatewayV2::Integration',
  'AWS::IAM::Role',
]

/** What can be off while its resource stays. */
const SWITCHES: Switch[] = [
  {
    type: 'AWS::Events::Rule',
    property: 'State',
    isOn: ({ State }) => State === 'ENABLED',
    becomes: 'the schedule would be disabled',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'DeletionPolicy',
    isOn: (_, { DeletionPolicy }) => DeletionPolicy === 'Retain',
    becomes: 'the table would be deleted with the stack',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'DeletionProtectionEnabled',
    isOn: ({ DeletionProtectionEnabled }) => DeletionProtectionEnabled === true,
    becomes: 'the table would not be protected from being deleted',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'PointInTimeRecoverySpecification',
    isOn: ({ PointInTimeRecoverySpecification: recovery }) =>
      (recovery as Properties | undefined)?.PointInTimeRecoveryEnabled === true,
    becomes: 'the table could not be restored any more, and what could be so far would be gone',
  },
  {
    type: 'AWS::ApiGatewayV2::Route',
    property: 'AuthorizationType',
    isOn: ({ AuthorizationType }) => (AuthorizationType ?? 'NONE') !== 'NONE',
    becomes: 'the route would be open to everybody',
  },
  {
    type: 'AWS::ApiGatewayV2::Api',
    property: 'DisableExecuteApiEndpoint',
    isOn: ({ DisableExecuteApiEndpoint }) => DisableExecuteApiEndpoint === true,
    becomes: "the API would answer at AWS's own address, too",
  },
  {
    type: 'AWS::IAM::Role',
    property: 'PermissionsBoundary',
    isOn: ({ PermissionsBoundary }) => PermissionsBoundary !== undefined,
    becomes: 'the role would not be bounded',
  },
  {
    type: 'AWS::CodeDeploy::DeploymentGroup',
    property: 'AlarmConfiguration',
    isOn: ({ AlarmConfiguration: alarms }) => (alarms as Properties | undefined)?.Enabled === true,
    becomes: 'no alarm would take a new version back',
  },
  {
    type: 'AWS::Lambda::Function',
    property: 'ReservedConcurrentExecutions',
    isOn: ({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined,
    becomes: 'no instances would be kept free for the function, and nothing would limit them',
  },
]

/** What CloudFormation cannot change of a table: it would make a new one, which is empty. */
const TABLE_IDENTITY = ['TableName', 'KeySchema', 'ImportSourceSpecification']

/** What an update of a stack from one template to the other would switch off, in the order of the templates. */
export function findSwitchedOff(deployed: Template, next: Template): SwitchedOff[] {
  const before = leaveOutWhatIsOff(deployed).Resources
  const after = leaveOutWhatIsOff(next).Resources
  const told = Object.values(after).flatMap(toldBy)
  const untold = [...new Set(Object.values(before).flatMap(toldBy))].filter(each => !told.includes(each))
  const ofResources = Object.entries(before).flatMap(([name, resource]) => {
    const { [name]: kept } = after
    if (!kept) return findRemoved(name, resource)
    const { Properties: were = {} } = resource
    const { Properties: are = {} } = kept
    return [
      ...SWITCHES.filter(
        ({ type, isOn }) => type === resource.Type && isOn(were, resource) && !isOn(are, kept),
      ).map(({ property, becomes }) => ({ name: `${name}.${property}`, becomes })),
      ...(resource.Type === 'AWS::DynamoDB::Table' ? findLostOfTable(name, were, are) : []),
    ]
  })
  return [
    ...ofResources,
    ...untold.map(topic => ({ name: 'AlarmActions', becomes: `${topic} would not be told of alarms` })),
  ]
}

/** Who is told of an alarm, beside the stack's own topic. */
const toldBy = ({ Type, Properties = {} }: TemplateResource): string[] =>
  Type === 'AWS::CloudWatch::Alarm'
    ? [Properties.AlarmActions ?? []].flat().filter(action => typeof action === 'string')
    : []

function findRemoved(name: string, { Type, DeletionPolicy }: TemplateResource): SwitchedOff[] {
  if (PLUMBING.includes(Type)) return []
  const what = Type.split('::').slice(1).join(' ')
  const becomes = DeletionPolicy === 'Retain' ? 'would leave the stack, and stay' : 'would be removed'
  return [{ name, becomes: `the ${what} ${becomes}` }]
}

function findLostOfTable(name: string, were: Properties, are: Properties): SwitchedOff[] {
  if (TABLE_IDENTITY.some(property => !isDeepStrictEqual(were[property], are[property])))
    return [{ name, becomes: 'the table would be replaced by a new one, which is empty' }]
  const kept = indexesOf(are)
  return indexesOf(were)
    .filter(index => !kept.includes(index))
    .map(index => ({ name: `${name}.${index}`, becomes: 'the index would be removed, and answers need it' }))
}

/**
 * One sentence where the update would change more indexes of a table than one; undefined where it would not. See
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
 */
export function findManyIndexChanges(deployed: Template, next: Template): string | undefined {
  const after = leaveOutWhatIsOff(next).Resources
  for (const [name, resource] of Object.entries(leaveOutWhatIsOff(deployed).Resources)) {
    const { [name]: kept } = after
    if (resource.Type !== 'AWS::DynamoDB::Table' || !kept) continue
    const before = indexesOf(resource.Properties)
    const now = indexesOf(kept.Properties)
    const changed = [
      ...before.filter(each => !now.includes(each)),
      ...now.filter(each => !before.includes(each)),
    ]
    if (changed.length > 1) {
      return `CloudFormation adds or removes one index in an update, and this one would change ${changed.join(', ')}: deploy them one after the other (infra/README.md, "Change the table")`
    }
  }
  return undefined
}

const indexesOf = ({ GlobalSecondaryIndexes }: Properties = {}): string[] =>
  ((GlobalSecondaryIndexes ?? []) as { IndexName: string }[]).map(({ IndexName }) => IndexName)
