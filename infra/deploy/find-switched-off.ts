import { isDeepStrictEqual } from 'node:util'
import { SWITCHES } from './switches.ts'
import { type Template, type TemplateResource, tablesCoveredIn, tableUsedIn } from './template.ts'

export interface SwitchedOff {
  /** The name to pass in `switchOff=` to permit the loss of this part. */
  name: string
  becomes: string
}

type Properties = Record<string, unknown>

/**
 * Resources that a change of the code may remove without confirmation: function versions, their checks, and resources
 * that only connect others, such as roles.
 */
const PLUMBING = [
  'AWS::CloudFormation::CustomResource',
  'AWS::Lambda::Version',
  'AWS::Lambda::Permission',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::ApiGatewayV2::Integration',
  'AWS::IAM::Role',
]

/** CloudFormation cannot change these properties in place: it would replace the table with an empty table. */
const TABLE_IDENTITY = ['TableName', 'KeySchema', 'ImportSourceSpecification']

export function findSwitchedOff(deployed: Template, next: Template): SwitchedOff[] {
  const found = Object.entries(deployed.Resources).flatMap(([name, resource]) => {
    const { [name]: kept } = next.Resources
    if (!kept) return findRemoved(name, resource)
    return [
      ...findLost(name, resource, kept),
      ...(resource.Type === 'AWS::DynamoDB::Table'
        ? findLostOfTable(name, resource.Properties ?? {}, kept.Properties ?? {})
        : []),
    ]
  })
  const keyOf = ({ name, becomes }: SwitchedOff) => `${name}: ${becomes}`
  return [...new Map(found.map(each => [keyOf(each), each])).values()]
}

function findLost(name: string, before: TemplateResource, after: TemplateResource): SwitchedOff[] {
  return SWITCHES.flatMap(({ type, property, read = all => all[property], isLess, isShared, becomes }) => {
    if (type !== before.Type) return []
    const was = read(before.Properties ?? {}, before)
    const is = read(after.Properties ?? {}, after)
    if (was === undefined || was === false || !(isLess ? isLess(is, was) : !isDeepStrictEqual(is, was)))
      return []
    return [{ name: isShared ? property : `${name}.${property}`, becomes: becomes(is, was) }]
  })
}

function findRemoved(name: string, { Type, DeletionPolicy }: TemplateResource): SwitchedOff[] {
  if (PLUMBING.includes(Type)) return []
  const what = Type.split('::').slice(1).join(' ')
  const becomes =
    DeletionPolicy === 'Retain'
      ? 'would no longer belong to the stack, but would continue to exist'
      : 'would be removed'
  return [{ name, becomes: `the ${what} ${becomes}` }]
}

function findLostOfTable(name: string, were: Properties, are: Properties): SwitchedOff[] {
  if (TABLE_IDENTITY.some(property => !isDeepStrictEqual(were[property], are[property])))
    return [{ name, becomes: 'the table would be replaced by a new, empty table' }]
  const kept = indexesOf(are)
  return indexesOf(were)
    .filter(index => !kept.includes(index))
    .map(index => ({ name: `${name}.${index}`, becomes: 'the index, which queries need, would be removed' }))
}

/**
 * Returns the reason if CloudFormation would reject the update of a table's indexes:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
 */
export function findManyIndexChanges(deployed: Template, next: Template): string | undefined {
  for (const [name, resource] of Object.entries(deployed.Resources)) {
    const { [name]: kept } = next.Resources
    if (resource.Type !== 'AWS::DynamoDB::Table' || !kept) continue
    const [before, now] = [indexesOf(resource.Properties), indexesOf(kept.Properties)]
    const changed = [...before, ...now].filter(each => !(before.includes(each) && now.includes(each)))
    if (changed.length > 1)
      return `CloudFormation can add or remove only one index per update, but this update would change ${changed.join(', ')}: deploy the changes one at a time (infra/deploying.md, "Change the table")`
  }
  return undefined
}

const indexesOf = ({ GlobalSecondaryIndexes }: Properties = {}): string[] =>
  ((GlobalSecondaryIndexes ?? []) as { IndexName: string }[]).map(({ IndexName }) => IndexName)

/**
 * Finds a move between tables during which functions could be denied access, for example because CloudFormation updates
 * roles before functions.
 */
export function findTableMove(deployed: Template, next: Template): SwitchedOff[] {
  const from = tableUsedIn(deployed)
  const to = tableUsedIn(next)
  if (!from || !to || from === to) return []
  const problem = !tablesCoveredIn(next).includes(from)
    ? `functions that still read ${from} would be denied access before traffic moves to ${to}`
    : !tablesCoveredIn(deployed).includes(to) &&
      `the roles do not give access to ${to} yet, so functions that already read it may fail`
  if (!problem) return []
  const advice = `to move the stage without an outage, run npm run restore for this stage, with --table ${to}`
  return [{ name: 'TABLE_RIGHTS', becomes: `${problem}; ${advice}` }]
}
