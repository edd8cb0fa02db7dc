import { readFile } from 'node:fs/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import { recordDifference } from '../../../lib/audit/lower-claim.ts'
import { CHECKPOINTS_LIST, REVISIONS_LIST, SUBSCRIPTIONS_LIST } from '../../../lib/store/format/keys.ts'
import { type Statement, writesOf } from '../../support/programs/evaluate-policy.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { optionalParts } from '../../support/programs/use-packaged-service.ts'

const prod = useVariant('prod')
const full = useVariant('full')

// The tests of the audit's function show that it names exactly the attributes that its role lets it name.
test('the audit changes checkpoints and nothing else', () => {
  const mayWrite = writesOf(prod.template, 'AuditChainRole')

  expect(mayWrite('UpdateItem', [CHECKPOINTS_LIST], ['l', 'p', 'auditedBlock', 'fence'])).toBe(true)
  expect(mayWrite('UpdateItem', [CHECKPOINTS_LIST], ['l', 'p', 'blockNumber'])).toBe(false)
  for (const list of [REVISIONS_LIST, SUBSCRIPTIONS_LIST, 'all@137'])
    expect(mayWrite('UpdateItem', [list], ['l', 'p'])).toBe(false)
})

test('the person on call may send each request with which npm run audit records a difference', async () => {
  const { Resources } = parse(
    await readFile(new URL('../../../infra/pipeline/deployer.yml', import.meta.url), 'utf8'),
  )
  const [{ PolicyDocument }] = Resources.OnCall.Properties.Policies
  const { Condition } = PolicyDocument.Statement.find(({ Sid }: Statement) => Sid === 'Audit')
  const used = new Set<string>()
  const client = new DynamoDBClient({ region: 'eu-west-1' })
  client.middlewareStack.add(() => async ({ input }) => {
    const { Key, ExpressionAttributeNames } = input as Record<string, Record<string, string>>
    for (const name of [...Object.keys({ ...Key }), ...Object.values({ ...ExpressionAttributeNames })])
      used.add(name)
    return { output: { $metadata: {} }, response: undefined }
  })

  const ofCommand = { revision: 0, id: 'the id that the command gives to an audit' }
  await recordDifference(7, { client, tableName: 'events', network: 'base', since: ofCommand })

  expect(Condition['ForAllValues:StringEquals']['dynamodb:Attributes']).toEqual(
    expect.arrayContaining([...used]),
  )
})

test('the audit has alarms and an enabled schedule only if it is switched on', () => {
  const schedule = 'AuditChain rate(5 minutes)'
  const alarms = ['AuditDifferenceAlarm', 'AuditErrorsAlarm', 'AuditStoppedAlarm']

  expect(optionalParts(full.template, /^Audit/)).toEqual([`${schedule} ENABLED`, ...alarms])
  expect(optionalParts(prod.template, /^Audit/)).toEqual([`${schedule} DISABLED`])
  // Missing data sets off the alarm, too.
  expect(full.template.Resources.AuditStoppedAlarm?.Properties.TreatMissingData).toBe('breaching')
})
