import type { Serverless } from './framework.ts'
import { leaveOutWhatIsOff, type Template } from './template.ts'

type Statement = { Resource?: unknown }

/**
 * A Serverless Framework plugin. Removes what the settings switch off, and gives the roles access to a second table.
 */
export default function finishTemplate({ service, configurationInput }: Serverless) {
  return {
    hooks: {
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        const { provider } = service
        const { used, other } = configurationInput.custom.tables
        if (other !== '') coverOtherTable(provider.compiledCloudFormationTemplate, [used, other])
        provider.compiledCloudFormationTemplate = leaveOutWhatIsOff(provider.compiledCloudFormationTemplate)
      },
    },
  }
}

/**
 * Extends each permission on the table in use to both tables. A policy lists the tables in alphabetical order, so that
 * the policy stays the same when the service switches from one table to the other.
 */
function coverOtherTable({ Resources }: Template, tables: [used: string, other: string]) {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::IAM::Role') continue
    for (const statement of statementsOf(Properties)) coverBoth(statement, tables)
  }
}

const statementsOf = (role: object | undefined): Statement[] =>
  ((role as { Policies?: { PolicyDocument: { Statement: Statement[] } }[] }).Policies ?? []).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  )

function coverBoth(statement: Statement, tables: [string, string]) {
  const resources = [statement.Resource].flat()
  if (!resources.some(resource => namesTable(resource, tables[0]))) return
  statement.Resource = [...tables]
    .sort()
    .flatMap(table => resources.map(resource => withTable(resource, tables[0], table)))
}

function namesTable(resource: unknown, table: string): boolean {
  const text = JSON.stringify(resource) ?? ''
  return [`:table/${table}"`, `:table/${table}/`].some(part => text.includes(part))
}

const withTable = (resource: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(resource).replace(`:table/${from}`, `:table/${to}`))
