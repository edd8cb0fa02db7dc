import { leaveOutWhatIsOff, type Template, type TemplateResource } from '../../../infra/deploy/template.ts'

export interface Statement {
  Sid?: string
  Effect: 'Allow' | 'Deny'
  Action: string | string[]
  Resource: string | string[]
  Condition?: Record<string, Record<string, string | string[]>>
}

export interface Access {
  action: string
  resource: string
  context?: Record<string, string | string[]>
}

type Parameters = Record<string, string>

/** Fills in parameters as CloudFormation does. A reference to a resource becomes the resource's name. */
export function fillIn(template: Template, parameters: Parameters): Template {
  return leaveOutWhatIsOff(substitute(template, parameters) as Template)
}

function substitute(value: unknown, parameters: Parameters): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(each => substitute(each, parameters))
  const { Ref, 'Fn::Sub': text } = value as { Ref?: string; 'Fn::Sub'?: string }
  if (Ref !== undefined && Ref !== 'AWS::NoValue') return parameters[Ref] ?? Ref
  if (text !== undefined) return text.replaceAll(/\$\{([\w:]+)\}/g, (_, name) => parameters[name] ?? name)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, substitute(each, parameters)]))
}

/**
 * Follows https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html. Throws for an
 * operator that the tested policies do not use.
 */
export function isAllowed(statements: Statement[], access: Access): boolean {
  const effects = statements.filter(each => applies(each, access)).map(({ Effect }) => Effect)
  return effects.includes('Allow') && !effects.includes('Deny')
}

export function statementsOf({ Resources }: Template, role: string): Statement[] {
  const filled = fillIn({ Resources: { [role]: Resources[role] as TemplateResource } }, {})
  const { Policies } = { ...filled.Resources[role]?.Properties } as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[]
  }
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
}

/** Returns a function that tells whether the role allows a write with these partition keys and attributes. */
export function writesOf(template: Template, role: string) {
  const statements = statementsOf(template, role)
  const resource = 'arn:AWS::Partition:dynamodb:AWS::Region:AWS::AccountId:table/blockchain-events-prod'
  return (action: string, keys: readonly string[], attributes: readonly string[] = []) => {
    const context = { 'dynamodb:LeadingKeys': [...keys], 'dynamodb:Attributes': [...attributes] }
    return isAllowed(statements, { action: `dynamodb:${action}`, resource, context })
  }
}

function applies({ Action, Resource, Condition = {} }: Statement, access: Access): boolean {
  return (
    [Action].flat().some(each => isLike(access.action.toLowerCase(), each.toLowerCase())) &&
    [Resource].flat().some(each => isLike(access.resource, each)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, access.context?.[key], [wanted].flat())),
    )
  )
}

const OPERATORS: Record<string, (given: string, wanted: string) => boolean> = {
  StringEquals: (given, wanted) => given === wanted,
  StringLike: isLike,
  ArnLike: isLike,
}

function holds(operator: string, given: string | string[] | undefined, wanted: string[]): boolean {
  const [, isForAll, name = ''] = /^(ForAllValues:)?(\w+)$/.exec(operator) ?? []
  const { [name]: matches } = OPERATORS
  if (!matches) throw new Error(`evaluate-policy.ts cannot evaluate the operator ${operator}`)
  const values = given === undefined ? [] : [given].flat()
  const isWanted = (value: string) => wanted.some(each => matches(value, each))
  return isForAll ? values.every(isWanted) : values.some(isWanted)
}

function isLike(text: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text)
}
