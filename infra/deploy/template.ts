export interface Template {
  Conditions?: Record<string, unknown>
  Resources: Record<string, TemplateResource>
  Outputs?: Record<string, { Condition?: string; Value?: unknown }>
}

export interface TemplateResource {
  Type: string
  Condition?: string
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  UpdatePolicy?: Record<string, unknown>
  DependsOn?: string | string[]
  Properties?: Record<string, unknown>
}

export interface Optional {
  'Fn::If': [condition: string, value: unknown, otherwise: { Ref: 'AWS::NoValue' }]
}

/** Returns the value if the template's condition holds, and otherwise removes the property. */
export const onlyIf = (condition: string, value: unknown): Optional => ({
  'Fn::If': [condition, value, { Ref: 'AWS::NoValue' }],
})

/** Marks a property that must be removed, because its value is `AWS::NoValue`. */
const NO_VALUE = Symbol('no value')

/**
 * Resolves a template's conditions as CloudFormation does: omits resources and outputs whose condition is false, and
 * keeps one branch of each `Fn::If`. Throws if a condition compares anything but constants.
 */
export function leaveOutWhatIsOff({ Conditions = {}, ...template }: Template): Template {
  const holds = (name: string): boolean => {
    const { [name]: condition } = Conditions
    if (condition === undefined) throw new Error(`The template has no condition ${name}`)
    return evaluate(condition, holds)
  }
  const isOn = ({ Condition }: { Condition?: string }) => Condition === undefined || holds(Condition)
  const kept = <Part extends { Condition?: string }>(parts: Record<string, Part> = {}) =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([name, part]) => {
        if (!isOn(part)) return []
        const { Condition: _, ...rest } = part
        return [[name, chooseBranches(rest, holds) as Part]]
      }),
    )
  const Resources = kept(template.Resources)
  return {
    ...template,
    Resources: Object.fromEntries(
      Object.entries(Resources).map(([name, resource]) => [name, withoutMissing(resource, Resources)]),
    ),
    ...(template.Outputs && { Outputs: kept(template.Outputs) }),
  }
}

function evaluate(condition: unknown, holds: (name: string) => boolean): boolean {
  const [[kind, operands] = ['', undefined]] = Object.entries(condition as object)
  if (kind === 'Condition') return holds(String(operands))
  const all = operands as unknown[]
  if (kind === 'Fn::Not') return !evaluate(all[0], holds)
  if (kind === 'Fn::And') return all.every(each => evaluate(each, holds))
  if (kind === 'Fn::Or') return all.some(each => evaluate(each, holds))
  if (kind === 'Fn::Equals' && all.every(each => typeof each === 'string')) return all[0] === all[1]
  throw new Error(`A condition must compare constants, but this one does not: ${JSON.stringify(condition)}`)
}

function chooseBranches(value: unknown, holds: (name: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map(each => chooseBranches(each, holds)).filter(each => each !== NO_VALUE)
  const { 'Fn::If': choice, Ref } = value as { 'Fn::If'?: [string, unknown, unknown]; Ref?: string }
  if (Ref === 'AWS::NoValue') return NO_VALUE
  if (choice) return chooseBranches(holds(choice[0]) ? choice[1] : choice[2], holds)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const chosen = chooseBranches(each, holds)
      return chosen === NO_VALUE ? [] : [[name, chosen]]
    }),
  )
}

/** Removes from `DependsOn` the resources that do not exist. */
function withoutMissing(resource: TemplateResource, all: Record<string, unknown>): TemplateResource {
  const { DependsOn, ...rest } = resource
  const there = [DependsOn ?? []].flat().filter(name => name in all)
  return there.length === 0 ? rest : { ...rest, DependsOn: there }
}

/** One of the functions that use the table: the environments of all these functions name the same table. */
const READER = 'UserEventsLambdaFunction'

export function tableUsedIn({ Resources }: Template): string | undefined {
  const { Environment } = (Resources[READER]?.Properties ?? {}) as {
    Environment?: { Variables?: { EVENTS_TABLE?: string } }
  }
  return Environment?.Variables?.EVENTS_TABLE
}

/** Returns the tables that every role can access, ignoring roles without rights on any table. */
export function tablesCoveredIn({ Resources }: Template): string[] {
  const [first = [], ...others] = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::IAM::Role')
    .map(tablesNamedIn)
    .filter(tables => tables.length > 0)
  return first.filter(table => others.every(tables => tables.includes(table)))
}

function tablesNamedIn(role: TemplateResource): string[] {
  const names = [...JSON.stringify(role.Properties ?? {}).matchAll(/:table\/([\w.-]+)/g)]
  return [...new Set(names.map(([, table = '']) => table))].sort()
}
