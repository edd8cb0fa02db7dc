import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { findTableProblems } from '../../infra/deploy/find-table-problems.ts'
import { readTableDefinition } from '../../infra/deploy/read-table-definition.ts'

const wanted = {
  ...{ tableName: 'restored', readUnitsPerSecond: 4000, tableClass: 'STANDARD' },
  ...{ pointInTimeRecovery: true, tableDeletionProtection: true },
  tags: { service: 'events', stage: 'prod' },
}
const OnDemandThroughput = { MaxReadRequestUnits: 4000 }
const OF_INDEX = { IndexStatus: 'ACTIVE', OnDemandThroughput } as const
const definition = readTableDefinition()

/** A table as the stack creates it, except for the given properties. */
const tableWith = (changes: Partial<TableDescription> = {}): TableDescription => ({
  ...definition,
  TableName: 'restored',
  TableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/restored',
  TableStatus: 'ACTIVE',
  BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  DeletionProtectionEnabled: true,
  OnDemandThroughput,
  GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes.map(index => ({ ...index, ...OF_INDEX })),
  ...changes,
})
const ENABLED = 'ENABLED' as const
const PointInTimeRecoveryDescription = { PointInTimeRecoveryStatus: ENABLED }
const backups = { ContinuousBackupsStatus: ENABLED, PointInTimeRecoveryDescription }
const timeToLive = { TimeToLiveStatus: 'ENABLED' as const, AttributeName: 'expires' }
const tagsOf = (values: object) => Object.entries(values).map(([Key, Value]) => ({ Key, Value }))
const tags = tagsOf({ team: 'chain', stage: 'prod', service: 'events' })
/** As DynamoDB describes a table that the stack created. */
const found = { table: tableWith(), backups, timeToLive, tags }
const [firstIndex, ...otherIndexes] = tableWith().GlobalSecondaryIndexes ?? []

test('a table as the stack makes it can be adopted, and nothing more is asked of it than the settings do', () => {
  const less = { ...wanted, pointInTimeRecovery: false, tableDeletionProtection: false }
  const plain = { table: tableWith({ DeletionProtectionEnabled: false }), timeToLive, tags }

  expect([findTableProblems(found, wanted), findTableProblems(plain, less)]).toEqual([[], []])
})

const OF_TABLE = '--region eu-west-1 --table-name restored'
const UPDATE_TIME_TO_LIVE = `aws dynamodb update-time-to-live ${OF_TABLE} --time-to-live-specification`
const NO_TIME_TO_LIVE = `The table has no time-to-live attribute, so old entries of its log of revisions are never deleted: ${UPDATE_TIME_TO_LIVE} Enabled=true,AttributeName=expires`
const noTags = (tags: string) =>
  `The table lacks tags, so budgets and bills do not include it: aws dynamodb tag-resource --region eu-west-1 --resource-arn arn:aws:dynamodb:eu-west-1:123456789012:table/restored --tags ${tags}`

test('all that a restore leaves out is named, with the command that sets it right', () => {
  const { OnDemandThroughput: _, ...restored } = tableWith({ DeletionProtectionEnabled: false })
  const indexes = (restored.GlobalSecondaryIndexes ?? []).map(({ OnDemandThroughput: _, ...index }) => index)

  expect(findTableProblems({ table: { ...restored, GlobalSecondaryIndexes: indexes } }, wanted)).toEqual([
    expect.stringMatching(
      /^The read limit of the table, byUser, byToken, byTransaction, byBlock must be readUnitsPerSecond \(4000\): aws dynamodb update-table --region eu-west-1 --table-name restored --on-demand-throughput MaxReadRequestUnits=4000 --global-secondary-index-updates '\[\{"Update":\{"IndexName":"byUser"/,
    ),
    `The table is not protected against deletion: aws dynamodb update-table ${OF_TABLE} --deletion-protection-enabled`,
    `The table has no point-in-time recovery: aws dynamodb update-continuous-backups ${OF_TABLE} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
    NO_TIME_TO_LIVE,
    noTags('Key=service,Value=events Key=stage,Value=prod'),
  ])
})

const OTHER_ATTRIBUTE = `The table's time-to-live attribute must be expires, not ttl: ${UPDATE_TIME_TO_LIVE} Enabled=false,AttributeName=ttl and, an hour later, ${UPDATE_TIME_TO_LIVE} Enabled=true,AttributeName=expires`
const timeToLiveWith = (changes: object) => ({ timeToLive: { ...timeToLive, ...changes } })

test.each([
  ['time to live is being switched on', timeToLiveWith({ TimeToLiveStatus: 'ENABLING' }), []],
  ['it is being switched off', timeToLiveWith({ TimeToLiveStatus: 'DISABLING' }), [NO_TIME_TO_LIVE]],
  ['it looks at another attribute', timeToLiveWith({ AttributeName: 'ttl' }), [OTHER_ATTRIBUTE]],
  [
    'some tags are missing, or have another value',
    { tags: tagsOf({ service: 'events', stage: 'staging' }) },
    [noTags('Key=stage,Value=prod')],
  ],
])('a table is judged where %s', (_, changes, problems) => {
  expect(findTableProblems({ ...found, ...changes }, wanted)).toEqual(problems)
})

const OTHER_KEY = [{ AttributeName: 'other', KeyType: 'HASH' as const }]

const withIndex = (changes: object) => ({
  GlobalSecondaryIndexes: [...otherIndexes, ...(firstIndex ? [{ ...firstIndex, ...changes }] : [])],
})
const OTHER_KEYS = /^The keys and indexes of restored do not match this version: it lacks byUser\(/
const UNUSED = /it lacks byUser\(.*; it has byUser\(other:undefined\) ALL, which this version does not use/
const PROVISIONED = `The table is not billed on demand: aws dynamodb update-table ${OF_TABLE} --billing-mode PAY_PER_REQUEST`
const OTHER_CLASS = `The table's class must be STANDARD, not STANDARD_INFREQUENT_ACCESS: aws dynamodb update-table ${OF_TABLE} --table-class STANDARD`

test.each<[string, Partial<TableDescription>, RegExp | string]>([
  ['an index is missing', { GlobalSecondaryIndexes: otherIndexes }, OTHER_KEYS],
  ['an index has other keys', withIndex({ KeySchema: OTHER_KEY }), UNUSED],
  [
    'an index is still filled',
    withIndex({ IndexStatus: 'CREATING' }),
    /^byUser is not ready \(CREATING\): wait until it is ACTIVE$/,
  ],
  ['it is restored still', { TableStatus: 'CREATING' }, /^the table is not ready \(CREATING\)/],
  ['it is billed by the hour', { BillingModeSummary: { BillingMode: 'PROVISIONED' } }, PROVISIONED],
  ['it has another class', { TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' } }, OTHER_CLASS],
])('a table is not adopted where %s', (_, changes, problem) => {
  const problems = findTableProblems({ ...found, table: tableWith(changes) }, wanted)

  expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})
