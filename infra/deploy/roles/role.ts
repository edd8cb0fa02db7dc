import { type Optional, onlyIf } from '../template.ts'

const ARN = 'arn:${AWS::Partition}'
const OF_ACCOUNT = '${AWS::Region}:${AWS::AccountId}'

export interface Role {
  /** The function's name in serverless.yml, in pascal case. */
  lambda: string
  description: string
  condition?: 'ShiftsTraffic'
  /** The function's rights. Every function also has the rights to write logs and traces. */
  statements: readonly (Statement | Optional)[]
}

interface Statement {
  Sid: string
  Effect: 'Allow'
  Action: string | string[]
  Resource: unknown
  Condition?: object
}

const sub = (text: string) => ({ 'Fn::Sub': text })

export const versionsOf = (lambda: string) => sub(`\${${lambda}LambdaFunction.Arn}:*`)

const TABLE = `${ARN}:dynamodb:${OF_ACCOUNT}:table/\${param:tableName}`

/** The right to perform these actions on the table, but not on its indexes. */
export const onTable = (Sid: string, Action: string | string[]): Statement => ({
  Sid,
  Effect: 'Allow',
  Action,
  Resource: sub(TABLE),
})

export const onPartition = (Sid: string, Action: string | string[], partition: string): Statement => ({
  ...onTable(Sid, Action),
  Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } },
})

export const onIndexes = (indexes: readonly string[]): Statement => ({
  ...onTable('Lists', 'dynamodb:Query'),
  Resource: [sub(TABLE), ...indexes.map(index => sub(`${TABLE}/index/${index}`))],
})

export const LONG_FIELDS = onTable('LongFields', ['dynamodb:BatchGetItem', 'dynamodb:GetItem'])

/** The right to read a parameter includes decryption with the AWS managed key for SSM, but not with another key. */
export const configuration = (name: string, hasKey: string) => [
  {
    Sid: 'Configuration',
    Effect: 'Allow',
    Action: 'ssm:GetParameter',
    Resource: sub(`${ARN}:ssm:${OF_ACCOUNT}:parameter\${param:${name}ConfigParameter}`),
  } satisfies Statement,
  onlyIf(hasKey, {
    Sid: 'ConfigurationKey',
    Effect: 'Allow',
    Action: 'kms:Decrypt',
    Resource: `\${param:${name}ConfigKeyArn}`,
    Condition: { StringEquals: { 'kms:ViaService': sub('ssm.${AWS::Region}.amazonaws.com') } },
  }),
]

export const roleResources = (roles: readonly Role[]) =>
  Object.fromEntries(roles.map(role => [`${role.lambda}Role`, resourceOf(role)]))

const resourceOf = ({ lambda, description, condition, statements }: Role) => ({
  Type: 'AWS::IAM::Role',
  ...(condition && { Condition: condition }),
  Properties: {
    Description: description,
    PermissionsBoundary: onlyIf('HasPermissionsBoundary', '${param:permissionsBoundary}'),
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    Policies: [
      {
        PolicyName: lambda.replace(/\B[A-Z]/g, '-$&').toLowerCase(),
        PolicyDocument: { Version: '2012-10-17', Statement: [...statements, ...writing(lambda)] },
      },
    ],
  },
})

const writing = (lambda: string) => [
  {
    Sid: 'Log',
    Effect: 'Allow',
    Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: { 'Fn::GetAtt': [`${lambda}LogGroup`, 'Arn'] },
  },
  onlyIf('HasTracing', {
    Sid: 'Trace',
    Effect: 'Allow',
    Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    Resource: '*',
  }),
]
