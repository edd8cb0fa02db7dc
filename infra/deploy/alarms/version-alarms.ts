import { type Alarm, ofFunction, service, stat, sum } from './alarm.ts'

const MINUTE = 60

const FUNCTIONS = {
  user: { endpoint: 'user-events', lambda: 'UserEvents' },
  token: { endpoint: 'token-events', lambda: 'TokenEvents' },
  changes: { endpoint: 'changes', lambda: 'Changes' },
}

type VersionedFunction = (typeof FUNCTIONS)[keyof typeof FUNCTIONS]

const NEXT = 'check whether CodeDeploy has shifted the traffic back; if it has not, run npm run rollback'

/** shift-traffic.ts replaces names such as UserEventsVersion with the names of the versions of a release. */
const versionOf = (lambda: string) => ({ 'Fn::GetAtt': [`${lambda}Version`, 'Version'] })

/** A metric that Lambda writes for the new version. */
function ofVersion(name: string, { lambda }: VersionedFunction) {
  const metric = ofFunction(name, lambda)
  return {
    ...metric,
    Dimensions: [
      ...metric.Dimensions,
      { Name: 'Resource', Value: { 'Fn::Sub': `\${${lambda}LambdaFunction}:live` } },
      { Name: 'ExecutedVersion', Value: versionOf(lambda) },
    ],
  }
}

/** A metric that the new version itself writes. */
const ownOfVersion = (name: string, { endpoint, lambda }: VersionedFunction) => ({
  Namespace: 'BlockchainEvents',
  MetricName: name,
  Dimensions: [
    service,
    { Name: 'version', Value: { 'Fn::Join': ['', [`${endpoint}:`, versionOf(lambda)]] } },
  ],
})

const failuresOf = (version: VersionedFunction): Alarm => ({
  name: `${version.endpoint}-version`,
  condition: 'ShiftsTraffic',
  trigger: `more than 1 % of the calls to the new version of ${version.endpoint} failed in two of three minutes, while the old version still had a share of the traffic`,
  users: 'calls that reach the new version fail with a 5xx response',
  causes: 'a faulty release, or a missing table or permission that the new version needs',
  next: NEXT,
  watches: {
    id: 'share',
    label: 'Failed calls to the version, in percent',
    // Failures are Lambda's errors without the rejected direct calls, plus the 5xx responses, which Lambda does not
    // count.
    expression: '100 * (FILL(errors, 0) - FILL(refused, 0) + FILL(failed, 0) + FILL(unavailable, 0)) / calls',
    of: {
      calls: sum(ofVersion('Invocations', version), MINUTE),
      errors: sum(ofVersion('Errors', version), MINUTE),
      failed: sum(ownOfVersion('Status500', version), MINUTE),
      refused: sum(ownOfVersion('DirectRefusals', version), MINUTE),
      unavailable: sum(ownOfVersion('Status503', version), MINUTE),
    },
  },
  when: ['>', 1],
  periods: [2, 3],
})

/**
 * While a new version has only a tenth of the traffic, its failures hardly affect the other alarms. Therefore, these
 * alarms watch only that version. Lambda reports metrics of individual versions only while an alias points to two
 * versions.
 */
export const VERSION_ALARMS: readonly Alarm[] = [
  ...Object.values(FUNCTIONS).map(failuresOf),
  {
    name: 'version-latency',
    condition: 'ShiftsTraffic',
    trigger:
      'in each of three consecutive minutes, at least one in ten calls to a new version took longer than ${param:latencyAlarmMs} ms within the function, while the old version still had a share of the traffic',
    users: 'calls that reach the new version are slow',
    causes: 'a slower release, or a table that was just restored or created',
    next: NEXT,
    watches: {
      id: 'slowest',
      label: 'Latency of the slowest function in ms (p90)',
      expression: 'MAX([FILL(user, 0), FILL(token, 0), FILL(changes, 0)])',
      of: {
        user: stat('p90', ofVersion('Duration', FUNCTIONS.user), MINUTE),
        token: stat('p90', ofVersion('Duration', FUNCTIONS.token), MINUTE),
        changes: stat('p90', ofVersion('Duration', FUNCTIONS.changes), MINUTE),
      },
    },
    when: ['>', '${param:latencyAlarmMs}'],
    periods: [3],
  },
]
