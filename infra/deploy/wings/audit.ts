import { AUDIT_ATTRIBUTES } from '../../../lib/store/format/checkpoint.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { maximum, ofFunction, ofService, sum } from '../alarms/alarm.ts'
import { configuration, onTable } from '../roles/role.ts'
import { flag } from '../setting-values.ts'
import type { Wing } from './wing.ts'

const AUDIT_PERIOD_SECONDS = 900

export const AUDIT: Wing = {
  name: 'audit',
  values: {
    auditEnabled: flag,
  },
  role: {
    lambda: 'AuditChain',
    description: 'Compares the table with the chains',
    statements: [
      onTable('Table', ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']),
      // The function may write to only one partition, which has no events (lib/store/README.md). The condition must
      // list every attribute in a request, including the keys and the attributes that the function only compares:
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
      {
        ...onTable('Checkpoints', 'dynamodb:UpdateItem'),
        Condition: {
          'ForAllValues:StringEquals': {
            'dynamodb:LeadingKeys': [CHECKPOINTS_LIST],
            'dynamodb:Attributes': [LIST_KEY, PLACE_KEY, 'fence', 'renewals', 'scope', ...AUDIT_ATTRIBUTES],
          },
        },
      },
      ...configuration('index', 'HasIndexConfigKey'),
    ],
  },
  alarms: [
    {
      name: 'audit-difference',
      condition: 'AuditEnabled',
      trigger:
        'the audit has found that events of a network are missing from the table, differ from the chain, or do not exist on the chain',
      users:
        'answers are wrong or incomplete for the block in the log line, and perhaps for higher blocks; X-Audited-Through shows the last block up to which everything is proven',
      causes:
        'a node omitted logs during indexing, another program wrote to the table, or the code has a defect',
      next: 'find the network, the block and the ids in the line "the table differs from the chain" in the log of auditChain',
      watches: maximum(ofService('AuditDifferences'), AUDIT_PERIOD_SECONDS),
      when: ['>', 0],
      periods: [1],
      // If no report arrives, the difference may still exist, so the alarm keeps its state.
      missing: 'ignore',
    },
    {
      name: 'audit-stopped',
      condition: 'AuditEnabled',
      trigger:
        'auditChain was not invoked for 30 minutes, although its schedule invokes it every five minutes',
      users: 'no immediate effect, but X-Audited-Through does not advance, and new differences go unnoticed',
      causes: 'the schedule was manually disabled or deleted, or is no longer allowed to invoke the function',
      next: 'in EventBridge, check whether the rule of auditChain is enabled; then deploy again',
      watches: sum(ofFunction('Invocations', 'AuditChain'), AUDIT_PERIOD_SECONDS),
      when: ['<', 1],
      periods: [2],
      // A function that is not invoked reports no data, so missing data must set off the alarm.
      missing: 'breaching',
    },
    {
      name: 'audit-errors',
      condition: 'AuditEnabled',
      trigger:
        'at least 2 of the 3 invocations of auditChain ended with an error in each of two consecutive 15-minute periods',
      users: 'no effect, except that X-Audited-Through of a network does not advance',
      causes:
        'a block cannot be proven, nodes contradict each other, no node answers, no node returns receipts, or the configuration is not valid',
      next: 'find the network and the reason in the log lines "auditing failed"',
      watches: sum(ofFunction('Errors', 'AuditChain'), AUDIT_PERIOD_SECONDS),
      when: ['>=', 2],
      periods: [2],
    },
  ],
}
