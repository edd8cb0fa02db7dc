import type { TemplateResource } from './template.ts'

type Properties = Record<string, unknown>

interface Switch {
  type: string
  property: string
  /** Returns undefined or false if the switch is off. By default, returns the property's value. */
  read?(properties: Properties, resource: TemplateResource): unknown
  /** Whether the new value provides less than the old one. By default, any change of the value counts as less. */
  isLess?(after: unknown, before: unknown): boolean
  /** Set if all resources of the type have the same value. The switch is then named after the property alone. */
  isShared?: true
  becomes(after: unknown, before: unknown): string
}

/** The properties that an update can switch off without removing their resource. */
export const SWITCHES: Switch[] = [
  {
    type: 'AWS::Events::Rule',
    property: 'State',
    read: ({ State }) => State === 'ENABLED',
    becomes: () => 'the schedule would be disabled',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'DeletionPolicy',
    read: (_, { DeletionPolicy }) => DeletionPolicy === 'Retain',
    becomes: () => 'the table would be deleted with the stack',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'DeletionProtectionEnabled',
    becomes: () => 'the table would not be protected against deletion',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'PointInTimeRecoverySpecification',
    read: ({ PointInTimeRecoverySpecification: recovery }) =>
      (recovery as Properties | undefined)?.PointInTimeRecoveryEnabled,
    becomes: () => 'the table could no longer be restored to an earlier point in time',
  },
  {
    type: 'AWS::ApiGatewayV2::Route',
    property: 'AuthorizationType',
    read: ({ AuthorizationType: type }) => (type === 'NONE' ? undefined : type),
    becomes: after =>
      after === undefined
        ? 'the route would be open to everyone'
        : `the route would require ${after} authorization, which its callers do not send`,
  },
  {
    type: 'AWS::ApiGatewayV2::Authorizer',
    property: 'Issuer',
    read: ({ JwtConfiguration: tokens }) => (tokens as Properties | undefined)?.Issuer,
    becomes: (after, before) =>
      `tokens from ${after} would be accepted, and tokens from ${before} would be refused`,
  },
  {
    type: 'AWS::ApiGatewayV2::Authorizer',
    property: 'Audience',
    read: ({ JwtConfiguration: tokens }) => (tokens as Properties | undefined)?.Audience,
    isLess: lacksSome,
    becomes: (after, before) => `tokens for ${missing(after, before)} would be refused`,
  },
  {
    type: 'AWS::ApiGatewayV2::Api',
    property: 'DisableExecuteApiEndpoint',
    becomes: () => 'the API could also be called at its AWS address',
  },
  {
    type: 'AWS::ApiGatewayV2::DomainName',
    property: 'DomainName',
    becomes: (after, before) => `${after} would lead to the API, and ${before} would no longer lead to it`,
  },
  {
    type: 'AWS::Route53::RecordSet',
    property: 'HostedZoneId',
    becomes: (after, before) => `the DNS record would move from the zone ${before} to ${after}`,
  },
  {
    type: 'AWS::IAM::Role',
    property: 'PermissionsBoundary',
    becomes: (after, before) =>
      after === undefined
        ? 'the role would have no permissions boundary'
        : `the permissions boundary of the role would be ${after} instead of ${before}`,
  },
  {
    type: 'AWS::CodeDeploy::DeploymentGroup',
    property: 'AlarmConfiguration',
    read: ({ AlarmConfiguration: alarms }) => (alarms as Properties | undefined)?.Enabled,
    becomes: () => 'no alarm would roll back a new version',
  },
  {
    type: 'AWS::Lambda::Function',
    property: 'ReservedConcurrentExecutions',
    read: ({ ReservedConcurrentExecutions: reserved }) => reserved !== undefined,
    becomes: () => 'the function would have neither reserved concurrency nor a limit on its concurrency',
  },
  variable('EVENTS_TABLE', {
    becomes: (after, before) => `the functions would use the table ${after} instead of ${before}`,
  }),
  variable('EVENTS_NETWORKS', {
    becomes: (after, before) =>
      `the functions would refuse a table for the networks ${before}, and require a table for ${after}`,
  }),
  variable('PUBLIC_BASE_URL', {
    becomes: (after, before) =>
      `links would lead to ${after ?? "the API's AWS address"} instead of ${before}`,
  }),
  variable('CHANGES_KEPT_DAYS', {
    isLess: isFewer,
    becomes: (after, before) =>
      `readers of the feed of changes could pause for ${after} days instead of ${before}`,
  }),
  variable('INDEX_CONFIG_PARAMETER', {
    becomes: (after, before) => `the indexer would read the parameter ${after} instead of ${before}`,
  }),
  variable('PUBLISH_CONFIG_PARAMETER', {
    becomes: (after, before) => `the publisher would read the parameter ${after} instead of ${before}`,
  }),
  {
    type: 'AWS::Logs::LogGroup',
    property: 'RetentionInDays',
    read: ({ RetentionInDays = Number.POSITIVE_INFINITY }) => RetentionInDays,
    isLess: isFewer,
    isShared: true,
    becomes: (after, before) => `logs would be kept for ${after} days instead of ${before}`,
  },
  {
    type: 'AWS::CloudWatch::Alarm',
    property: 'AlarmActions',
    // A literal ARN belongs to a topic outside the stack, because the stack's own topic appears as a reference.
    read: ({ AlarmActions }) => [AlarmActions ?? []].flat().filter(action => typeof action === 'string'),
    isLess: lacksSome,
    isShared: true,
    becomes: (after, before) => `${missing(after, before)} would not receive alarms`,
  },
  {
    type: 'AWS::SNS::Topic',
    property: 'Subscription',
    read: ({ Subscription = [] }) => (Subscription as { Endpoint: string }[]).map(({ Endpoint }) => Endpoint),
    isLess: lacksSome,
    becomes: (after, before) => `${missing(after, before)} would not receive alarms`,
  },
]

/** An empty variable is treated as unset. */
function variable(name: string, rest: Pick<Switch, 'isLess' | 'becomes'>): Switch {
  return {
    type: 'AWS::Lambda::Function',
    property: name,
    read({ Environment }) {
      const { Variables } = (Environment ?? {}) as { Variables?: Properties }
      return Variables?.[name] || undefined
    },
    isShared: true,
    ...rest,
  }
}

function isFewer(after: unknown, before: unknown): boolean {
  return Number(after ?? 0) < Number(before)
}

function lacksSome(after: unknown, before: unknown): boolean {
  return missing(after, before) !== ''
}

function missing(after: unknown, before: unknown): string {
  return (before as unknown[]).filter(each => !((after ?? []) as unknown[]).includes(each)).join(', ')
}
