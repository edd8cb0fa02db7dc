import { AUDIT_ATTRIBUTES } from '../../../lib/store/format/checkpoint.ts'
import {
  CHECKPOINTS_LIST,
  LIST_KEY,
  PLACE_KEY,
  REVISIONS_LIST,
  SUBSCRIPTIONS_LIST,
} from '../../../lib/store/format/keys.ts'
import {
  configuration,
  LONG_FIELDS,
  onIndexes,
  onlyIf,
  onPartition,
  onTable,
  type Role,
  versionsOf,
} from './role.ts'

/** The roles of the functions. No function that answers requests can write to the table. */
export const FUNCTION_ROLES: readonly Role[] = [
  {
    lambda: 'UserEvents',
    description: "Reads users' events",
    statements: [onIndexes(['byUser', 'byTransaction', 'byBlock']), LONG_FIELDS],
  },
  {
    lambda: 'TokenEvents',
    description: "Reads tokens' events",
    statements: [onIndexes(['byUser', 'byToken', 'byTransaction', 'byBlock']), LONG_FIELDS],
  },
  {
    lambda: 'Changes',
    description: 'Reads the changes to events',
    // The indexes are excluded because they are eventually consistent, and a copy must not lag behind the table.
    statements: [onTable('Lists', 'dynamodb:Query'), LONG_FIELDS],
  },
  {
    lambda: 'Status',
    description: 'Reads how far the networks are indexed',
    statements: [onPartition('Checkpoints', 'dynamodb:Query', CHECKPOINTS_LIST)],
  },
  { lambda: 'Docs', description: 'Serves the documentation', statements: [] },
  {
    lambda: 'Fallback',
    description: 'Answers requests that match no other route',
    statements: [],
  },
  {
    lambda: 'CheckVersion',
    description: 'Sends test queries to new versions of the query functions before they receive traffic',
    condition: 'ShiftsTraffic',
    statements: [
      {
        Sid: 'Versions',
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: ['UserEvents', 'TokenEvents', 'Changes'].map(versionsOf),
      },
    ],
  },
  {
    lambda: 'IndexChain',
    description: 'Fills the table with events',
    statements: [
      onTable('Table', ['dynamodb:GetItem', 'dynamodb:Query']),
      {
        ...onTable('Events', ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem']),
        // The key of every list of events has a network after `@`, so this condition excludes only the subscriptions.
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [CHECKPOINTS_LIST, REVISIONS_LIST, '*@*'] },
        },
      },
      ...configuration('index', 'HasIndexConfigKey'),
    ],
  },
  {
    lambda: 'AuditChain',
    description: 'Compares the table with the chains',
    statements: [
      onTable('Table', ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']),
      // The partition that the function may write to has no events (lib/store/README.md). Keys, and attributes that are
      // only compared, also count as attributes of the request:
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
  {
    lambda: 'Publish',
    description: 'Delivers changes to subscriptions',
    statements: [
      // The indexes are excluded because they are eventually consistent, and the feed must not lag behind the table.
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
]
