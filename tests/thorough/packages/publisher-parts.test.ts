import { CHECKPOINTS_LIST, REVISIONS_LIST, SUBSCRIPTIONS_LIST } from '../../../lib/store/format/keys.ts'
import { isAllowed, statementsOf, writesOf } from '../../support/programs/evaluate-policy.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { optionalParts } from '../../support/programs/use-packaged-service.ts'

const prod = useVariant('prod')
const full = useVariant('full')

const busOf = (name: string) => ({
  action: 'events:PutEvents',
  resource: `arn:aws:events:us-east-1:123456789012:event-bus/${name}`,
})

test('the publisher writes what it keeps of subscriptions and nothing else', () => {
  const mayWrite = writesOf(prod.template, 'PublishRole')

  for (const action of ['DeleteItem', 'PutItem', 'UpdateItem']) {
    expect(mayWrite(action, [SUBSCRIPTIONS_LIST])).toBe(true)
    for (const other of [CHECKPOINTS_LIST, REVISIONS_LIST, 'all@137']) {
      expect(mayWrite(action, [other])).toBe(false)
      expect(mayWrite(action, [SUBSCRIPTIONS_LIST, other])).toBe(false)
    }
  }
})

test('the publisher sends to the configured bus and to no other', () => {
  const statements = statementsOf(full.template, 'PublishRole')

  expect(isAllowed(statements, busOf('orders'))).toBe(true)
  expect(isAllowed(statements, busOf('others'))).toBe(false)
  expect(isAllowed(statementsOf(prod.template, 'PublishRole'), busOf('orders'))).toBe(false)
})

test('the publisher has alarms and an enabled schedule only if it is switched on', () => {
  const names = /^(Publish|Subscriptions)/
  const schedule = 'Publish rate(1 minute)'
  const alarms = ['PublishErrorsAlarm', 'PublishLagAlarm', 'SubscriptionsEndedAlarm']

  expect(optionalParts(full.template, names)).toEqual([...alarms, `${schedule} ENABLED`].sort())
  expect(optionalParts(prod.template, names)).toEqual([`${schedule} DISABLED`])
  // Missing data sets off the alarm, too.
  expect(full.template.Resources.PublishLagAlarm?.Properties.TreatMissingData).toBe('breaching')
})
