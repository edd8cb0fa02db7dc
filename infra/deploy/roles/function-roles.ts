import { CHECKPOINTS_LIST, REVISIONS_LIST } from '../../../lib/store/format/keys.ts'
import { SHIFTED_FUNCTIONS } from '../shifted-functions.ts'
import { configuration, LONG_FIELDS, onIndexes, onPartition, onTable, type Role, versionsOf } from './role.ts'

/** The roles of the functions, except those of `wings`. No function that answers requests can write to the table. */
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
    // The indexes are excluded because they are eventually consistent, so readers of the feed could miss a change.
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
    description:
      'Sends test queries to each new version of the query functions before the version receives traffic',
    condition: 'ShiftsTraffic',
    statements: [
      {
        Sid: 'Versions',
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: Object.values(SHIFTED_FUNCTIONS).map(versionsOf),
      },
    ],
  },
  {
    lambda: 'IndexChain',
    description: 'Fills the table with events',
    statements: [
      onTable('Table', ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']),
      {
        ...onTable('Events', ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem']),
        // `*@*` matches the keys of all lists of events, chunks and block times, so the only list that the function
        // cannot write is that of the subscriptions.
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [CHECKPOINTS_LIST, REVISIONS_LIST, '*@*'] },
        },
      },
      ...configuration('index', 'HasIndexConfigKey'),
    ],
  },
]
