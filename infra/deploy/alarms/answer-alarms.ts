import { type Alarm, ofFunction, ofGateway, ofService, stat, sum, sumOf } from './alarm.ts'

const TWO_OF_THREE: [number, number] = [2, 3]

const errorsOf = (endpoint: string, watches: Alarm['watches']): Alarm => ({
  name: `${endpoint}-errors`,
  trigger: `in two of three 5-minute periods, at least 3 invocations of the ${endpoint} function ended with an error`,
  users: 'HTTP callers get a 500 from the gateway, and direct callers get the error',
  causes:
    'timeouts, too little memory, a bundle that cannot be loaded, a direct caller that sends invalid payloads, or failing smoke checks',
  next: "read the errors in the function's log; an InvalidQueryError is the caller's mistake",
  watches,
  when: ['>=', 3],
  periods: TWO_OF_THREE,
})

/** Lambda's errors include direct calls for blocks that are not indexed yet, although these calls are not failures. */
const failuresOf = (endpoint: string, lambda: string) => ({
  id: 'failures',
  label: 'Failed invocations',
  expression: 'errors - FILL(early, 0)',
  of: { errors: sum(ofFunction('Errors', lambda)), early: sum(ofService('DirectNotIndexedYet', endpoint)) },
})

/**
 * DynamoDB reports these metrics separately for the table and for each of its four indexes, and only for periods with
 * throttling. A Metrics Insights query sums the metrics that exist, whereas a sum of five metrics without `FILL` has no
 * value if one of them has none.
 */
const ofTable = (name: string) => ({
  id: 'events',
  label: name,
  expression: `SELECT SUM(${name}) FROM "AWS/DynamoDB" WHERE TableName = '\${param:tableName}'`,
  periodSeconds: 300,
})

const smokeOf = (endpoint: string, words: Pick<Alarm, 'users' | 'causes'> & { answer: string }): Alarm => ({
  name: `${endpoint}-smoke`,
  condition: 'SmokeEnabled',
  trigger: `for 10 minutes, no scheduled request to ${endpoint} returned ${words.answer}`,
  users: words.users,
  causes: words.causes,
  next: 'invoke the function with the payload of the schedule, and read the answer or error',
  watches: sum(ofService('SmokeChecksPassed', endpoint)),
  when: ['<', 1],
  periods: [2],
  missing: 'breaching',
})

export const ANSWER_ALARMS: readonly Alarm[] = [
  {
    name: 'answers-fail',
    trigger:
      'in two of three 5-minute periods, more than 1 % of the HTTP requests, and at least 5, were answered with 5xx',
    users: 'some or all requests fail; after a 503, clients retry a few times before they give up',
    causes: 'failures or throttling in DynamoDB, a faulty deployment, or a corrupt stored row',
    next: 'read the newest log lines with level ERROR; if the failures began with a deployment, roll back',
    watches: {
      id: 'share',
      label: '5xx answers, in percent',
      expression: 'IF(failures >= 5, 100 * failures / requests, 0)',
      of: { failures: sum(ofGateway('5xx')), requests: sum(ofGateway('Count')) },
    },
    when: ['>', 1],
    periods: TWO_OF_THREE,
  },
  errorsOf('user-events', failuresOf('user-events', 'UserEvents')),
  errorsOf('token-events', failuresOf('token-events', 'TokenEvents')),
  errorsOf('changes', sum(ofFunction('Errors', 'Changes'))),
  {
    name: 'function-throttles',
    trigger:
      'in two of three 5-minute periods, Lambda refused at least one invocation of a function that answers requests',
    users: 'the refused requests fail with a 5xx response',
    causes:
      'the account or the function has reached its limit of concurrent executions, because of more traffic or slower requests',
    next: 'compare concurrency with the limits; raise the quota or reservedConcurrency, or lower requestsPerSecond',
    watches: sumOf('throttles', 'Refused invocations', {
      user: sum(ofFunction('Throttles', 'UserEvents')),
      token: sum(ofFunction('Throttles', 'TokenEvents')),
      changes: sum(ofFunction('Throttles', 'Changes')),
      status: sum(ofFunction('Throttles', 'Status')),
      docs: sum(ofFunction('Throttles', 'Docs')),
      fallback: sum(ofFunction('Throttles', 'Fallback')),
    }),
    when: ['>', 0],
    periods: TWO_OF_THREE,
  },
  {
    name: 'table-throttles',
    trigger:
      'in two of three 5-minute periods, DynamoDB throttled more than 10 reads of the table or its indexes',
    users: 'answers become slower, and then requests fail with a 503',
    causes:
      'the read limit of the table, if table-read-limit fires too; one very busy user, token or network whose partition is at its limit; or traffic that grew faster than on-demand capacity',
    next: 'find out which index is throttled and which plan reads more than before; put a cache in front of the API, or lower requestsPerSecond',
    watches: ofTable('ReadThrottleEvents'),
    when: ['>', 10],
    periods: TWO_OF_THREE,
  },
  {
    name: 'table-read-limit',
    trigger:
      'in two of three 5-minute periods, more than 10 reads were throttled because the table or an index had reached readUnitsPerSecond',
    users: 'answers become slower, and then requests fail with a 503',
    causes: 'traffic has outgrown the setting, or someone deliberately sends costly requests',
    next: 'find out which requests read most; if the traffic is legitimate, raise readUnitsPerSecond',
    watches: ofTable('ReadMaxOnDemandThroughputThrottleEvents'),
    when: ['>', 10],
    periods: TWO_OF_THREE,
  },
  {
    name: 'table-write-throttles',
    condition: 'IndexEnabled',
    trigger:
      'in two of three 5-minute periods, DynamoDB throttled more than 1000 writes to the table or its indexes',
    users: 'no effect at first; later, new events appear with a delay',
    causes:
      'a backfill or a load that writes faster than one partition allows (1000 units per second), a very large airdrop, or on-demand capacity that has not grown yet',
    next: 'do nothing if a backfill is running; otherwise find out which index is throttled',
    watches: ofTable('WriteThrottleEvents'),
    when: ['>', 1000],
    periods: TWO_OF_THREE,
  },
  {
    name: 'corrupt-rows',
    trigger: 'in a 5-minute period, a request found a stored row that is not a valid record',
    users: 'every request for a page with this row fails with a 500, so readers cannot get past the row',
    causes:
      'someone edited the table manually, only a part of the table was restored, or a deployment changed the schema of records',
    next: "find the row's keys (list and place) in the log line that contains CorruptRowError; run npm run verify to find other corrupt rows",
    watches: sumOf('rows', 'Corrupt rows found', {
      user: sum(ofService('CorruptRows', 'user-events')),
      token: sum(ofService('CorruptRows', 'token-events')),
      changes: sum(ofService('CorruptRows', 'changes')),
    }),
    when: ['>', 0],
    periods: [1],
  },
  {
    name: 'latency',
    trigger:
      'in each of three consecutive 5-minute periods, at least one request in ten (or one in a hundred, if there were at least 1000 requests) took longer than ${param:latencyAlarmMs} ms as measured by the gateway',
    users: 'requests take noticeably longer',
    causes:
      'slow or throttled DynamoDB reads, many requests with large skip values or with filters that match few events, or many cold starts',
    next: "compare the functions' Latency with the gateway's, then look at the read units and plans of slow requests",
    watches: {
      id: 'latency',
      label: 'Latency in ms (p99 for 1000 requests or more, otherwise p90)',
      // The p99 of few requests means little, so the alarm uses it only if there are at least 1,000 requests.
      expression: 'IF(requests >= 1000, p99, p90)',
      of: {
        requests: sum(ofGateway('Count')),
        p99: stat('p99', ofGateway('Latency')),
        p90: stat('p90', ofGateway('Latency')),
      },
    },
    when: ['>', '${param:latencyAlarmMs}'],
    periods: [3],
  },
  {
    name: 'gateway-refusals',
    trigger:
      'the gateway refused more than 100 requests with 429 in each of three consecutive 5-minute periods',
    users: 'callers get a 429, and must retry to get an answer',
    causes:
      'the traffic as a whole, or a single busy caller, exceeds requestsPerSecond or requestsAtOnce, which all callers share',
    next: 'use the access log to find out when the refusals began; if the traffic is legitimate, raise the settings',
    watches: sum(ofService('GatewayRefusals')),
    when: ['>', 100],
    periods: [3],
  },
  smokeOf('user-events', {
    answer: 'events',
    users: 'user-events fails or returns no events',
    causes:
      'the table is missing, empty or unreachable; the function does not start; smokeAddress has no events in this table; or the schedule was disabled',
  }),
  smokeOf('token-events', {
    answer: 'events',
    users: 'token-events fails or returns no events',
    causes:
      'the table is missing, empty or unreachable; the function does not start; or the schedule was disabled',
  }),
  smokeOf('changes', {
    answer: 'a change',
    users: 'copies receive no changes',
    causes:
      'the table is missing, empty or unreachable; the function does not start; an indexer was restarted from the beginning; or the schedule was disabled',
  }),
  {
    // These functions have no versions, so they run a new release before the query functions' traffic shifts to it. The
    // periods are short, so that this alarm can stop the shift.
    name: 'pages-errors',
    trigger:
      'at least one invocation of status, docs or fallback ended with an error in two of five one-minute periods',
    users: 'the gateway returns a 500 for the status, the pages or unknown paths',
    causes: 'timeouts, too little memory, or a bundle or another file that cannot be loaded',
    next: "read the errors in the functions' logs; if they began with a deployment, deploy the previous commit",
    watches: sumOf('errors', 'Failed invocations', {
      status: sum(ofFunction('Errors', 'Status'), 60),
      docs: sum(ofFunction('Errors', 'Docs'), 60),
      fallback: sum(ofFunction('Errors', 'Fallback'), 60),
    }),
    when: ['>', 0],
    periods: [2, 5],
  },
]
