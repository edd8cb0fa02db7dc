import { SUBSCRIPTIONS_LIST } from '../../../lib/store/format/keys.ts'
import { maximum, ofFunction, ofService, sum } from '../alarms/alarm.ts'
import { configuration, LONG_FIELDS, onPartition, onTable } from '../roles/role.ts'
import { arn, flag, optional, parameter, positive } from '../setting-values.ts'
import { onlyIf } from '../template.ts'
import type { Wing } from './wing.ts'

export const PUBLISHER: Wing = {
  name: 'publisher',
  values: {
    publishEnabled: flag,
    publishConfigParameter: parameter('publish'),
    publishConfigKeyArn: arn('kms', 'arn:aws:kms:eu-west-1:123456789012:key/…'),
    publishFollow: flag,
    publishBusArn: optional(
      /^arn:[\w-]+:events:[\w-]+:\d{12}:event-bus\/[\w./-]*\*?$/,
      'must be the ARN of an event bus, such as arn:aws:events:eu-west-1:123456789012:event-bus/orders',
    ),
    publishLagAlarmSeconds: positive,
  },
  role: {
    lambda: 'Publish',
    description: 'Delivers changes to subscriptions',
    statements: [
      // The indexes are excluded because they are eventually consistent, so subscriptions could miss a change.
      onTable('Lists', 'dynamodb:Query'),
      LONG_FIELDS,
      onPartition(
        'Subscriptions',
        ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        SUBSCRIPTIONS_LIST,
      ),
      ...configuration('publish', 'HasPublishConfigKey'),
      onlyIf('HasPublishBus', {
        Sid: 'Bus',
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Resource: '${param:publishBusArn}',
      }),
    ],
  },
  alarms: [
    {
      name: 'publish-lag',
      condition: 'PublishEnabled',
      trigger:
        'for 15 minutes, at least one subscription had undelivered changes older than ${param:publishLagAlarmSeconds} seconds, or no subscription reported at all',
      users: 'the receiver of a subscription is notified late, but nothing is lost',
      causes:
        'the receiver refuses changes or does not answer, the subscription is still catching up, or an error stops the publisher',
      next: 'identify the subscription that lags, and read its lines "delivery failed" in the log of publish',
      watches: maximum(ofService('PublishLag')),
      when: ['>', '${param:publishLagAlarmSeconds}'],
      periods: [3],
      // A publisher that reports nothing delivers nothing, so missing data must set off the alarm.
      missing: 'breaching',
    },
    {
      name: 'subscriptions-ended',
      condition: 'PublishEnabled',
      trigger: 'a configured subscription has ended permanently',
      users: 'the receiver of the subscription is no longer notified',
      causes:
        'the receiver answered with 410, or the cursor of the subscription is too old for the log of removed events, or belongs to another table',
      next: 'find the name of the subscription and the reason in the line "ended" in the log of publish; remove the subscription from the configuration, or start it again under another name',
      watches: maximum(ofService('SubscriptionsEnded')),
      when: ['>', 0],
      periods: [1],
    },
    {
      name: 'publish-errors',
      condition: 'PublishEnabled',
      trigger:
        'at least one invocation of publish ended with an error in each of two consecutive 5-minute periods',
      users: 'at least one subscription, and perhaps all of them, no longer receives changes',
      causes:
        'the configuration is not valid, the filters of a subscription were changed, or the table refuses reads or writes',
      next: 'in the log of publish, read the error of the invocation, which says what is wrong',
      watches: sum(ofFunction('Errors', 'Publish')),
      when: ['>', 0],
      periods: [2],
    },
  ],
}
