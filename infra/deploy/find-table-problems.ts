import type { ContinuousBackupsDescription, TableDescription } from '@aws-sdk/client-dynamodb'
import { readTableDefinition } from './read-table-definition.ts'
import { tableKeys } from './table-keys.ts'

/** What a stage's settings ask of its table. */
export interface WantedTable {
  tableName: string
  readUnitsPerSecond: number
  tableClass: string
  pointInTimeRecovery: boolean
  tableDeletionProtection: boolean
}

/** A table that the stack has not made, as DynamoDB describes it. */
export interface FoundTable {
  table: TableDescription
  backups?: ContinuousBackupsDescription | undefined
}

/**
 * What a table that is to be adopted has other than the stack would have made it, a sentence each, with the
 * command that corrects it; none where it can be used. A restored table lacks the most of it.
 */
export function findTableProblems({ table, backups }: FoundTable, wanted: WantedTable): string[] {
  const update = `aws dynamodb update-table --table-name ${wanted.tableName}`
  const differing = findDifferingKeys(table, wanted.tableName)
  const busy = [
    { IndexName: 'the table', IndexStatus: table.TableStatus },
    ...(table.GlobalSecondaryIndexes ?? []),
  ]
    .filter(({ IndexStatus }) => IndexStatus !== 'ACTIVE')
    .map(
      ({ IndexName, IndexStatus }) => `${IndexName} is not ready (${IndexStatus}): wait until it is ACTIVE`,
    )
  // Neither has a limit yet that could be compared.
  if (differing.length > 0 || busy.length > 0) return [...differing, ...busy]
  return [
    ...findBillingProblems(table, update),
    ...findLimitProblems(table, wanted, update),
    ...findClassProblems(table, wanted, update),
    ...findProtectionProblems({ table, backups }, wanted, update),
  ]
}

function findDifferingKeys(table: TableDescription, tableName: string): string[] {
  const definition = tableKeys(readTableDefinition())
  const found = tableKeys(table)
  const missing = definition.filter(key => !found.includes(key))
  const surplus = found.filter(key => !definition.includes(key))
  if (missing.length === 0 && surplus.length === 0) return []
  const parts = [
    ...(missing.length > 0 ? [`it lacks ${missing.join(', ')}`] : []),
    ...(surplus.length > 0 ? [`it has ${surplus.join(', ')} instead or besides`] : []),
  ]
  return [
    `The keys and indexes of ${tableName} are not those of this version: ${parts.join('; ')}. See infra/README.md, "Change the table"`,
  ]
}

function findBillingProblems({ BillingModeSummary }: TableDescription, update: string): string[] {
  if (BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST') return []
  return [`It is not billed on demand: ${update} --billing-mode PAY_PER_REQUEST`]
}

function findLimitProblems(
  table: TableDescription,
  { readUnitsPerSecond }: WantedTable,
  update: string,
): string[] {
  const limit = `MaxReadRequestUnits=${readUnitsPerSecond}`
  const isOff = (part: Pick<TableDescription, 'OnDemandThroughput'>) =>
    part.OnDemandThroughput?.MaxReadRequestUnits !== readUnitsPerSecond
  const ofTable = isOff(table) ? [`--on-demand-throughput ${limit}`] : []
  const indexes = (table.GlobalSecondaryIndexes ?? []).filter(isOff)
  const updates = indexes.map(({ IndexName }) => ({
    Update: { IndexName, OnDemandThroughput: { MaxReadRequestUnits: readUnitsPerSecond } },
  }))
  const ofIndexes =
    updates.length > 0 ? [`--global-secondary-index-updates '${JSON.stringify(updates)}'`] : []
  if (ofTable.length + ofIndexes.length === 0) return []
  const where = [...(ofTable.length > 0 ? ['the table'] : []), ...indexes.map(({ IndexName }) => IndexName)]
  return [
    `The read limit of ${where.join(', ')} is not readUnitsPerSecond (${readUnitsPerSecond}): ${[update, ...ofTable, ...ofIndexes].join(' ')}`,
  ]
}

function findClassProblems(
  { TableClassSummary }: TableDescription,
  { tableClass }: WantedTable,
  update: string,
) {
  // DynamoDB says nothing of the class of a table that has never had another than the usual one.
  const found = TableClassSummary?.TableClass ?? 'STANDARD'
  return found === tableClass ? [] : [`Its class is ${found}: ${update} --table-class ${tableClass}`]
}

function findProtectionProblems(
  { table, backups }: FoundTable,
  wanted: WantedTable,
  update: string,
): string[] {
  const recovery = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
  return [
    ...(wanted.tableDeletionProtection && !table.DeletionProtectionEnabled
      ? [`It is not protected from being deleted: ${update} --deletion-protection-enabled`]
      : []),
    ...(wanted.pointInTimeRecovery && !recovery
      ? [
          `It has no point-in-time recovery: aws dynamodb update-continuous-backups --table-name ${wanted.tableName} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
        ]
      : []),
  ]
}
