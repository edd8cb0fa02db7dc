import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { findTableProblems } from '../../infra/deploy/find-table-problems.ts'
import { readTableDefinition } from '../../infra/deploy/read-table-definition.ts'

const wanted = {
  tableName: 'restored',
  readUnitsPerSecond: 4000,
  tableClass: 'STANDARD',
  pointInTimeRecovery: true,
  tableDeletionProtection: true,
}
const OnDemandThroughput = { MaxReadRequestUnits: 4000 }
const definition = readTableDefinition()

/** A table as the stack makes it, but for what is given. */
const tableWith = (changes: Partial<TableDescription> = {}): TableDescription => ({
  ...definition,
  TableName: 'restored',
  TableStatus: 'ACTIVE',
  BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  DeletionProtectionEnabled: true,
  OnDemandThroughput,
  GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes.map(index => ({
    ...index,
    IndexStatus: 'ACTIVE' as const,
    OnDemandThroughput,
  })),
  ...changes,
})
const backups = {
  ContinuousBackupsStatus: 'ENABLED' as const,
  PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' as const },
}
const [firstIndex, ...otherIndexes] = tableWith().GlobalSecondaryIndexes ?? []

test('a table as the stack makes it can be adopted', () => {
  expect(findTableProblems({ table: tableWith(), backups }, wanted)).toEqual([])
})

test('nothing more is asked of a table than the settings do', () => {
  const table = tableWith({ DeletionProtectionEnabled: false })
  const less = { ...wanted, pointInTimeRecovery: false, tableDeletionProtection: false }

  expect(findTableProblems({ table }, less)).toEqual([])
})

test('all that a restore leaves out is named, with the command that sets it right', () => {
  const { OnDemandThroughput: _, ...restored } = tableWith({ DeletionProtectionEnabled: false })
  const indexes = (restored.GlobalSecondaryIndexes ?? []).map(({ OnDemandThroughput: _, ...index }) => index)

  expect(findTableProblems({ table: { ...restored, GlobalSecondaryIndexes: indexes } }, wanted)).toEqual([
    expect.stringMatching(
      /^The read limit of the table, byUser, byToken, byTransaction, byBlock is not readUnitsPerSecond \(4000\): aws dynamodb update-table --table-name restored --on-demand-throughput MaxReadRequestUnits=4000 --global-secondary-index-updates '\[\{"Update":\{"IndexName":"byUser"/,
    ),
    'It is not protected from being deleted: aws dynamodb update-table --table-name restored --deletion-protection-enabled',
    'It has no point-in-time recovery: aws dynamodb update-continuous-backups --table-name restored --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true',
  ])
})

test.each([
  [
    'an index is missing',
    tableWith({ GlobalSecondaryIndexes: otherIndexes }),
    /^The keys and indexes of restored are not those of this version: it lacks byUser\(/,
  ],
  [
    'an index has other keys',
    tableWith({
      GlobalSecondaryIndexes: [
        { ...firstIndex, KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }] },
        ...otherIndexes,
      ],
    }),
    /it lacks byUser\(.*; it has byUser\(other:undefined\) ALL instead or besides/,
  ],
  [
    'an index is still filled',
    tableWith({ GlobalSecondaryIndexes: [{ ...firstIndex, IndexStatus: 'CREATING' }, ...otherIndexes] }),
    /^byUser is not ready \(CREATING\): wait until it is ACTIVE$/,
  ],
  ['it is restored still', tableWith({ TableStatus: 'CREATING' }), /^the table is not ready \(CREATING\)/],
  [
    'it is billed by the hour',
    tableWith({ BillingModeSummary: { BillingMode: 'PROVISIONED' } }),
    /^It is not billed on demand: aws dynamodb update-table --table-name restored --billing-mode PAY_PER_REQUEST$/,
  ],
  [
    'it has another class',
    tableWith({ TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' } }),
    /^Its class is STANDARD_INFREQUENT_ACCESS: aws dynamodb update-table --table-name restored --table-class STANDARD$/,
  ],
])('a table is not adopted where %s', (_, table, problem) => {
  expect(findTableProblems({ table, backups }, wanted)).toEqual([expect.stringMatching(problem)])
})
