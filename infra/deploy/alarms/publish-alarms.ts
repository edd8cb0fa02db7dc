import { type Alarm, maximum, ofFunction, ofService, sum } from './alarm.ts'

/** The alarms on the function that delivers changes. */
export const PUBLISH_ALARMS: readonly Alarm[] = [
  {
    name: 'publish-lag',
    condition: 'PublishEnabled',
    trigger:
      'for 15 minutes some subscription lacked a change that had happened more than ${param:publishLagAlarmSeconds} seconds before, or no subscription reported at all',
    users: 'the receiver of a subscription is notified late, but nothing is lost',
    causes:
      'its receiver refuses or does not answer, it catches up from the beginning, the publisher is stopped by an error',
    next: 'see which subscription lags, then its lines "delivery failed" in the log of publish',
    watches: maximum(ofService('PublishLag')),
    when: ['>', '${param:publishLagAlarmSeconds}'],
    periods: [3],
    // A publisher without reports delivers nothing.
    missing: 'breaching',
  },
  {
    name: 'subscriptions-ended',
    condition: 'PublishEnabled',
    trigger: 'a subscription that is configured has ended for good',
    users: 'its receiver is no longer notified',
    causes: 'the receiver answered 410, or its cursor is older than the log of removals',
    next: 'the line "ended" in the log of publish names it, and the reason; remove it from the configuration, or begin again under another name',
    watches: maximum(ofService('SubscriptionsEnded')),
    when: ['>', 0],
    periods: [1],
  },
  {
    name: 'publish-errors',
    condition: 'PublishEnabled',
    trigger: 'an invocation of publish ended with an error in each of two periods of 5 minutes in a row',
    users: 'one subscription, or all, are no longer served',
    causes:
      'the configuration is not valid, a subscription has other filters than at its beginning, or the table refuses reads or writes',
    next: 'the error of the invocation says what is wrong',
    watches: sum(ofFunction('Errors', 'Publish')),
    when: ['>', 0],
    periods: [2],
  },
]
