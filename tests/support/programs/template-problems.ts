import { loadAwsServiceSpec } from '@aws-cdk/aws-service-spec'
import type { PropertyType, Resource as ResourceSpec, SpecDatabase } from '@aws-cdk/service-spec-types'
import type { Template } from './use-packaged-service.ts'

type Properties = ResourceSpec['properties']

/** Functions whose results are known only during a deployment. */
const INTRINSIC = /^(Ref|Fn::\w+)$/

let loading: Promise<SpecDatabase> | undefined

/**
 * Finds what contradicts CloudFormation's own resource descriptions: unknown types and properties, values of the wrong
 * type, and missing properties. Each problem is one line, which begins with the path.
 */
export async function templateProblems({ Resources }: Template): Promise<string[]> {
  loading ??= loadAwsServiceSpec()
  const database = await loading
  return Object.entries(Resources).flatMap(([name, { Type, Properties = {} }]) => {
    const [spec] = database.lookup('resource', 'cloudFormationType', 'equals', Type)
    // The description lacks `questions`, which CloudFormation only passes to the function behind the custom resource.
    const { questions: _, ...described } = Properties
    return spec
      ? propertiesProblems(described, spec.properties, name, database)
      : [`${name}: there is no ${Type}`]
  })
}

function propertiesProblems(
  values: Record<string, unknown>,
  properties: Properties,
  path: string,
  database: SpecDatabase,
): string[] {
  const missing = Object.entries(properties).flatMap(([name, { required }]) =>
    required && !(name in values) ? [`${path}.${name} is missing`] : [],
  )
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const { [name]: property } = properties
    return property
      ? valueProblems(value, property.type, `${path}.${name}`, database)
      : [`${path}.${name}: there is no such property`]
  })
  return [...missing, ...wrong]
}

function valueProblems(value: unknown, type: PropertyType, path: string, database: SpecDatabase): string[] {
  if (isIntrinsic(value)) return []
  switch (type.type) {
    case 'union': {
      // Ignores `json` in a union with a structure, because it is an older description of the structure. In a union
      // with a string, `json` describes the string's content.
      const structures = type.types.filter(each => each.type === 'array' || each.type === 'ref')
      const all = (structures.length > 0 ? structures : type.types).map(each =>
        valueProblems(value, each, path, database),
      )
      return all.some(problems => problems.length === 0) ? [] : (all[0] ?? [])
    }
    case 'array':
      if (!Array.isArray(value)) return [`${path} is no list`]
      return value.flatMap((each, index) => valueProblems(each, type.element, `${path}.${index}`, database))
    case 'map':
      if (!isObject(value)) return [`${path} is no map`]
      return Object.entries(value).flatMap(([key, each]) =>
        valueProblems(each, type.element, `${path}.${key}`, database),
      )
    case 'ref':
      if (!isObject(value)) return [`${path} is no object`]
      return propertiesProblems(
        value,
        database.get('typeDefinition', type.reference.$ref).properties,
        path,
        database,
      )
    case 'tag':
      return isObject(value) && 'Key' in value ? [] : [`${path} is no tag`]
    case 'integer':
      return Number.isInteger(value) ? [] : [`${path} is no whole number: ${JSON.stringify(value)}`]
    case 'number':
    case 'boolean':
    case 'string':
      // The names of these types are also those that `typeof` returns.
      return typeof value === type.type ? [] : [`${path} is no ${type.type}: ${JSON.stringify(value)}`]
    default:
      return []
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isIntrinsic(value: unknown): boolean {
  if (!isObject(value)) return false
  const [name = '', ...others] = Object.keys(value)
  return others.length === 0 && INTRINSIC.test(name)
}
