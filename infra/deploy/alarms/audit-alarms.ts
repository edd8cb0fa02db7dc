import { type Alarm, maximum, ofFunction, ofService, sum } from './alarm.ts'

const PERIOD_SECONDS = 900

/** The alarms on the function that audits the table. */
export const AUDIT_ALARMS: readonly Alarm[] = [
  {
    name: 'audit-difference',
    condition: 'AuditEnabled',
    trigger:
      'the audit has found events of a network that are missing, not on the chain, or different from the chain',
    users:
      'answers are wrong or incomplete in the named block and perhaps above it; X-Audited-Through names the last block up to which all is proven',
    causes:
      'a node left out logs when they were indexed, another program wrote the table, or the code has a defect',
    next: 'the line "the table differs from the chain" in the log of auditChain has network, block and ids',
    watches: maximum(ofService('AuditDifferences'), PERIOD_SECONDS),
    when: ['>', 0],
    periods: [1],
    // Without a report nothing shows that the difference is gone.
    missing: 'ignore',
  },
  {
    name: 'audit-stopped',
    condition: 'AuditEnabled',
    trigger: 'auditChain was not invoked for 30 minutes, although its schedule invokes it every five minutes',
    users: 'nothing; X-Audited-Through stays as it is, and nobody learns of a new difference',
    causes: 'the schedule was switched off or deleted by hand, or it may no longer invoke the function',
    next: 'in EventBridge, see whether the rule of auditChain is enabled; then deploy again',
    watches: sum(ofFunction('Invocations', 'AuditChain'), PERIOD_SECONDS),
    when: ['<', 1],
    periods: [2],
    // A function that is not invoked has no metric.
    missing: 'breaching',
  },
  {
    name: 'audit-errors',
    condition: 'AuditEnabled',
    trigger:
      'at least 2 of the 3 invocations of auditChain ended with an error in each of two periods of 15 minutes',
    users: 'nothing; X-Audited-Through of a network stays as it is',
    causes:
      'a block cannot be proven, nodes contradict each other, no node answers or gives receipts, the configuration is not valid',
    next: 'the lines "auditing failed" name network and reason',
    watches: sum(ofFunction('Errors', 'AuditChain'), PERIOD_SECONDS),
    when: ['>=', 2],
    periods: [2],
  },
]
