import { CHECKPOINTS_LIST, REVISIONS_LIST, SUBSCRIPTIONS_LIST } from '../../../lib/store/format/keys.ts'
import { writesOf } from '../../support/programs/evaluate-policy.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { optionalParts } from '../../support/programs/use-packaged-service.ts'

const prod = useVariant('prod')
const full = useVariant('full')

const KEYS = ['l', 'p']
const OWN = ['auditedBlock', 'auditedHash', 'auditedTimestamp', 'differentBlock', 'differences']
const COMPARED = ['fence', 'renewals', 'scope']
const OF_OTHERS = 'blockNumber blockHash finalizedBlock indexedSince owner leased networks'.split(' ')

test('the audit changes its own attributes of a checkpoint and nothing else', () => {
  const mayWrite = writesOf(prod.template, 'AuditChainRole')
  const own = [...KEYS, ...OWN, ...COMPARED]

  expect(mayWrite('UpdateItem', [CHECKPOINTS_LIST], own)).toBe(true)
  for (const other of OF_OTHERS) {
    expect(mayWrite('UpdateItem', [CHECKPOINTS_LIST], [...KEYS, other])).toBe(false)
  }
  for (const list of [REVISIONS_LIST, SUBSCRIPTIONS_LIST, 'all@137']) {
    expect(mayWrite('UpdateItem', [list], own)).toBe(false)
  }
  for (const action of ['PutItem', 'DeleteItem', 'BatchWriteItem']) {
    expect(mayWrite(action, [CHECKPOINTS_LIST], own)).toBe(false)
  }
})

test('the audit has alarms and an enabled schedule only if it is switched on', () => {
  const schedule = 'AuditChain rate(5 minutes)'
  const alarms = ['AuditDifferenceAlarm', 'AuditErrorsAlarm', 'AuditStoppedAlarm']

  expect(optionalParts(full.template, /^Audit/)).toEqual([`${schedule} ENABLED`, ...alarms])
  expect(optionalParts(prod.template, /^Audit/)).toEqual([`${schedule} DISABLED`])
  // Missing data sets off the alarm, too.
  expect(full.template.Resources.AuditStoppedAlarm?.Properties.TreatMissingData).toBe('breaching')
})
