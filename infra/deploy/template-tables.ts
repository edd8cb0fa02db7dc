import type { Template, TemplateResource } from './template.ts'

/** The function whose environment names the table. All functions use one table. */
const READER = 'UserEventsLambdaFunction'

/** Returns the table that a template's functions use. Returns undefined if the template names no table. */
export function tableUsedIn({ Resources }: Template): string | undefined {
  const { Environment } = (Resources[READER]?.Properties ?? {}) as {
    Environment?: { Variables?: { EVENTS_TABLE?: string } }
  }
  return Environment?.Variables?.EVENTS_TABLE
}

/** Returns the tables on which every role has rights, among the roles with rights on any table. */
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
