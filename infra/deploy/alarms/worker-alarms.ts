import { type Alarm, maximum, ofFunction, ofService, sum } from './alarm.ts'

const AUDIT_PERIOD_SECONDS = 900

export const WORKER_ALARMS: readonly Alarm[] = [
  {
    name: 'index-lag',
    condition: 'IndexEnabled',
    trigger:
      'for 15 minutes, the newest stored block of at least one network was older than ${param:indexLagAlarmSeconds} seconds, or no network reported at all',
    users: 'the newest events are missing; X-Indexed-Through shows the last indexed block and its time',
    causes:
      'nodes are down, lag behind or refuse requests, the backfill is not complete yet, an error stops the indexer, or the chain produces no blocks',
    next: 'find the network that lags, and read its lines in the log of indexChain',
    watches: maximum(ofService('IndexLag')),
    when: ['>', '${param:indexLagAlarmSeconds}'],
    periods: [3],
    missing: 'breaching',
  },
  {
    name: 'index-errors',
    condition: 'IndexEnabled',
    trigger:
      'at least 4 of the 5 invocations of indexChain ended with an error in each of two consecutive 5-minute periods',
    users: 'nothing yet; new events of a network will be missing',
    causes:
      'no node of a network gives a valid answer, the configuration is not valid, or the table refuses writes',
    next: 'read the network and the reason in the log lines "indexing failed"',
    watches: sum(ofFunction('Errors', 'IndexChain')),
    when: ['>=', 4],
    periods: [2],
  },
  {
    name: 'audit-difference',
    condition: 'AuditEnabled',
    trigger:
      'the audit has found events of a network that are missing, not on the chain, or different from the chain',
    users:
      'answers are wrong or incomplete in the named block and perhaps in higher blocks; X-Audited-Through names the last block up to which everything is proven',
    causes:
      'a node omitted logs during indexing, another program wrote to the table, or the code has a defect',
    next: 'find the network, the block and the ids in the line "the table differs from the chain" in the log of auditChain',
    watches: maximum(ofService('AuditDifferences'), AUDIT_PERIOD_SECONDS),
    when: ['>', 0],
    periods: [1],
    // If no report arrives, the difference may still exist.
    missing: 'ignore',
  },
  {
    name: 'audit-stopped',
    condition: 'AuditEnabled',
    trigger: 'auditChain was not invoked for 30 minutes, although its schedule invokes it every five minutes',
    users: 'nothing; X-Audited-Through stays as it is, and new differences go unnoticed',
    causes: 'the schedule was disabled or deleted by hand, or is no longer allowed to invoke the function',
    next: 'in EventBridge, check whether the rule of auditChain is enabled; then deploy again',
    watches: sum(ofFunction('Invocations', 'AuditChain'), AUDIT_PERIOD_SECONDS),
    when: ['<', 1],
    periods: [2],
    // A function that is not invoked reports no data.
    missing: 'breaching',
  },
  {
    name: 'audit-errors',
    condition: 'AuditEnabled',
    trigger:
      'at least 2 of the 3 invocations of auditChain ended with an error in each of two consecutive 15-minute periods',
    users: 'nothing; X-Audited-Through of a network stays as it is',
    causes:
      'a block cannot be proven, nodes contradict each other, no node answers or returns receipts, or the configuration is not valid',
    next: 'read the network and the reason in the log lines "auditing failed"',
    watches: sum(ofFunction('Errors', 'AuditChain'), AUDIT_PERIOD_SECONDS),
    when: ['>=', 2],
    periods: [2],
  },
  {
    name: 'publish-lag',
    condition: 'PublishEnabled',
    trigger:
      'for 15 minutes, at least one subscription had undelivered changes older than ${param:publishLagAlarmSeconds} seconds, or no subscription reported at all',
    users: 'the receiver of a subscription is notified late, but nothing is lost',
    causes:
      'the receiver refuses changes or does not answer, the subscription is still catching up, or an error stops the publisher',
    next: 'find the subscription that lags, and read its lines "delivery failed" in the log of publish',
    watches: maximum(ofService('PublishLag')),
    when: ['>', '${param:publishLagAlarmSeconds}'],
    periods: [3],
    // A publisher that reports nothing delivers nothing.
    missing: 'breaching',
  },
  {
    name: 'subscriptions-ended',
    condition: 'PublishEnabled',
    trigger: 'a configured subscription has ended for good',
    users: 'its receiver is no longer notified',
    causes: 'the receiver answered 410, or its cursor is older than the log of removals',
    next: 'find the name of the subscription and the reason in the line "ended" in the log of publish; remove it from the configuration, or begin again under another name',
    watches: maximum(ofService('SubscriptionsEnded')),
    when: ['>', 0],
    periods: [1],
  },
  {
    name: 'publish-errors',
    condition: 'PublishEnabled',
    trigger:
      'at least one invocation of publish ended with an error in each of two consecutive 5-minute periods',
    users: 'one or all subscriptions are no longer served',
    causes:
      'the configuration is not valid, the filters of a subscription were changed, or the table refuses reads or writes',
    next: "read the invocation's error in the log of publish, which says what is wrong",
    watches: sum(ofFunction('Errors', 'Publish')),
    when: ['>', 0],
    periods: [2],
  },
]
