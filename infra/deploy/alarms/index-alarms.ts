import { type Alarm, maximum, ofFunction, ofService, sum } from './alarm.ts'

export const INDEX_ALARMS: readonly Alarm[] = [
  {
    name: 'index-lag',
    condition: 'IndexEnabled',
    trigger:
      'for 15 minutes, the newest stored block of at least one network was older than ${param:indexLagAlarmSeconds} seconds, or the indexer reported nothing at all',
    users: 'the newest events are missing; X-Indexed-Through shows the last indexed block and its time',
    causes:
      'the backfill is not complete yet, an error stops the indexer, the chain is not producing blocks, or its nodes are down, lag behind or refuse requests',
    next: 'identify the network that lags, and read its lines in the log of indexChain',
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
    users: 'no effect yet, but new events of a network will soon be missing',
    causes:
      'no node of a network gives a valid answer, the configuration is not valid, or the table refuses writes',
    next: 'find the network and the reason in the log lines "indexing failed"',
    watches: sum(ofFunction('Errors', 'IndexChain')),
    when: ['>=', 4],
    periods: [2],
  },
]
