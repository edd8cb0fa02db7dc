import { type Alarm, maximum, ofFunction, ofService, sum } from './alarm.ts'

/** The alarms on the function that indexes the chains. */
export const INDEX_ALARMS: readonly Alarm[] = [
  {
    name: 'index-lag',
    condition: 'IndexEnabled',
    trigger:
      'for 15 minutes the newest stored block of some network was older than ${param:indexLagAlarmSeconds} seconds, or no network reported at all',
    users: 'the newest events are missing; X-Indexed-Through says since when',
    causes:
      'nodes are down, lag or refuse, the backfill is not complete yet, an error stops the indexer, or the chain makes no blocks',
    next: 'see which network lags, then its lines in the log of indexChain',
    watches: maximum(ofService('IndexLag')),
    when: ['>', '${param:indexLagAlarmSeconds}'],
    periods: [3],
    missing: 'breaching',
  },
  {
    name: 'index-errors',
    condition: 'IndexEnabled',
    trigger:
      'at least 4 of the 5 invocations of indexChain ended with an error in each of two periods of 5 minutes',
    users: 'nothing yet; new events of a network will be missing',
    causes:
      'no node of a network gives a valid answer, the configuration is not valid, or the table refuses writes',
    next: 'the lines "indexing failed" name network and reason',
    watches: sum(ofFunction('Errors', 'IndexChain')),
    when: ['>=', 4],
    periods: [2],
  },
]
