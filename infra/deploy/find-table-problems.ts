import type {
  ContinuousBackupsDescription,
  TableDescription,
  Tag,
  TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb'
import { EXPIRES } from '../../lib/store/format/revision-item.ts'
import { readTableDefinition, tableKeys } from './read-table-definition.ts'

export interface WantedTable {
  tableName: string
  readUnitsPerSecond: number
  tableClass: string
  pointInTimeRecovery: boolean
  tableDeletionProtection: boolean
  tags: Record<string, string>
}

/** DynamoDB's description of a table that the stack did not create. */
export interface FoundTable {
  table: TableDescription
  backups?: ContinuousBackupsDescription | undefined
  timeToLive?: TimeToLiveDescription | undefined
  tags?: Tag[]
}

/** The command names the region, because another table may have the same name in the shell's default region. */
export const tableCommand = (table: TableDescription, operation: string): string =>
  `aws dynamodb ${operation} --region ${regionOf(table)} --table-name ${table.TableName}`

const regionOf = ({ TableArn = '' }: TableDescription) => TableArn.split(':')[3]

/**
 * Returns each difference with the command that corrects it, because most settings of a restored table must be
 * corrected.
 */
export function findTableProblems(found: FoundTable, wanted: WantedTable): string[] {
  const { table } = found
  const update = tableCommand(table, 'update-table')
  const differing = findDifferingKeys(table, wanted.tableName)
  const busy = [
    { IndexName: 'the table', IndexStatus: table.TableStatus },
    ...(table.GlobalSecondaryIndexes ?? []),
  ]
    .filter(({ IndexStatus }) => IndexStatus !== 'ACTIVE')
    .map(
      ({ IndexName, IndexStatus }) => `${IndexName} is not ready (${IndexStatus}): wait until it is ACTIVE`,
    )
  // Other differences are reported only after these problems are solved, because a table with wrong keys is useless,
  // and DynamoDB updates only active tables.
  if (differing.length > 0 || busy.length > 0) return [...differing, ...busy]
  const { BillingModeSummary, TableClassSummary, DeletionProtectionEnabled } = table
  // DynamoDB reports no class for a table that has always had the standard class.
  const { TableClass = 'STANDARD' } = TableClassSummary ?? {}
  const { PointInTimeRecoveryStatus: recovery } = found.backups?.PointInTimeRecoveryDescription ?? {}
  return [
    BillingModeSummary?.BillingMode !== 'PAY_PER_REQUEST' &&
      `The table is not billed on demand: ${update} --billing-mode PAY_PER_REQUEST`,
    findLimitProblem(table, wanted, update),
    TableClass !== wanted.tableClass &&
      `The table's class must be ${wanted.tableClass}, not ${TableClass}: ${update} --table-class ${wanted.tableClass}`,
    wanted.tableDeletionProtection &&
      !DeletionProtectionEnabled &&
      `The table is not protected against deletion: ${update} --deletion-protection-enabled`,
    wanted.pointInTimeRecovery &&
      recovery !== 'ENABLED' &&
      `The table has no point-in-time recovery: ${tableCommand(table, 'update-continuous-backups')} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    findTimeToLiveProblem(found),
    findTagProblem(found, wanted),
  ].filter(problem => typeof problem === 'string')
}

function findDifferingKeys(table: TableDescription, tableName: string): string[] {
  const definition = tableKeys(readTableDefinition())
  const found = tableKeys(table)
  const missing = definition.filter(key => !found.includes(key))
  const surplus = found.filter(key => !definition.includes(key))
  if (missing.length === 0 && surplus.length === 0) return []
  const parts = [
    missing.length > 0 && `it lacks ${missing.join(', ')}`,
    surplus.length > 0 && `it has ${surplus.join(', ')}, which this version does not use`,
  ].filter(Boolean)
  return [
    `The keys and indexes of ${tableName} do not match this version: ${parts.join('; ')}. See infra/deploying.md, "Change the table"`,
  ]
}

function findLimitProblem(
  table: TableDescription,
  { readUnitsPerSecond }: WantedTable,
  update: string,
): string | undefined {
  const limit = `MaxReadRequestUnits=${readUnitsPerSecond}`
  const isOff = (part: Pick<TableDescription, 'OnDemandThroughput'>) =>
    part.OnDemandThroughput?.MaxReadRequestUnits !== readUnitsPerSecond
  const indexes = (table.GlobalSecondaryIndexes ?? []).filter(isOff)
  const updates = indexes.map(({ IndexName }) => ({
    Update: { IndexName, OnDemandThroughput: { MaxReadRequestUnits: readUnitsPerSecond } },
  }))
  const where = [...(isOff(table) ? ['the table'] : []), ...indexes.map(({ IndexName }) => IndexName)]
  if (where.length === 0) return undefined
  const command = [
    update,
    isOff(table) && `--on-demand-throughput ${limit}`,
    updates.length > 0 && `--global-secondary-index-updates '${JSON.stringify(updates)}'`,
  ].filter(Boolean)
  return `The read limit of ${where.join(', ')} must be readUnitsPerSecond (${readUnitsPerSecond}): ${command.join(' ')}`
}

function findTimeToLiveProblem({ table, timeToLive }: FoundTable): string | undefined {
  const { TimeToLiveStatus: status = 'DISABLED', AttributeName: attribute } = timeToLive ?? {}
  const isOn = status === 'ENABLED' || status === 'ENABLING'
  if (isOn && attribute === EXPIRES) return undefined
  const update = `${tableCommand(table, 'update-time-to-live')} --time-to-live-specification`
  const setting = `${update} Enabled=true,AttributeName=${EXPIRES}`
  return isOn
    ? `The table's time-to-live attribute must be ${EXPIRES}, not ${attribute}: ${update} Enabled=false,AttributeName=${attribute} and, an hour later, ${setting}`
    : `The table has no time-to-live attribute, so old entries of its log of revisions are never deleted: ${setting}`
}

function findTagProblem({ table, tags = [] }: FoundTable, wanted: WantedTable): string | undefined {
  const missing = Object.entries(wanted.tags).filter(
    ([key, value]) => !tags.some(tag => tag.Key === key && tag.Value === value),
  )
  if (missing.length === 0) return undefined
  const shown = missing.map(([key, value]) => `Key=${key},Value=${value}`).join(' ')
  return `The table lacks tags, so budgets and bills do not include it: aws dynamodb tag-resource --region ${regionOf(table)} --resource-arn ${table.TableArn} --tags ${shown}`
}
