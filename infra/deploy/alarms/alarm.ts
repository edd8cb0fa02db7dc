import { onlyIf } from '../template.ts'

const SERVICE = '${self:service}-${sls:stage}'
const PERIOD_SECONDS = 300
const OPERATORS = {
  '>': 'GreaterThanThreshold',
  '>=': 'GreaterThanOrEqualToThreshold',
  '<': 'LessThanThreshold',
} as const

/** An alarm's name is also its heading in infra/runbook.md. */
export interface Alarm {
  name: string
  condition?: `${string}Enabled` | 'ShiftsTraffic'
  trigger: string
  users: string
  causes: string
  next: string
  watches: MetricStat | Expression
  when: [operator: keyof typeof OPERATORS, threshold: number | string]
  /** The condition must hold in `count` of the last `of` periods. By default, `of` equals `count`. */
  periods: [count: number, of?: number]
  /** How the alarm treats missing data. By default, missing data does not set off the alarm. */
  missing?: 'breaching' | 'ignore'
}

interface Metric {
  Namespace: string
  MetricName: string
  Dimensions: { Name: string; Value: unknown }[]
}

interface MetricStat {
  Metric: Metric
  Period: number
  Stat: string
}

interface Expression {
  id: string
  label: string
  expression: string
  /** The metrics in the expression, by the names that the expression uses. */
  of?: Record<string, MetricStat>
  /** Set only for a Metrics Insights query, because any other expression has the period of the metrics in `of`. */
  periodSeconds?: number
}

export const service = { Name: 'service', Value: SERVICE }

export const ofGateway = (name: string): Metric => ({
  Namespace: 'AWS/ApiGateway',
  MetricName: name,
  Dimensions: [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }],
})

/** A Lambda metric. `lambda` is the function's name in the template, without `LambdaFunction`. */
export const ofFunction = (name: string, lambda: string): Metric => ({
  Namespace: 'AWS/Lambda',
  MetricName: name,
  Dimensions: [{ Name: 'FunctionName', Value: { Ref: `${lambda}LambdaFunction` } }],
})

export const ofService = (name: string, endpoint?: string): Metric => ({
  Namespace: 'BlockchainEvents',
  MetricName: name,
  Dimensions: [service, ...(endpoint === undefined ? [] : [{ Name: 'endpoint', Value: endpoint }])],
})

export const stat = (Stat: string, Metric: Metric, Period = PERIOD_SECONDS): MetricStat => ({
  Metric,
  Period,
  Stat,
})

/** The sum of the metrics. A metric without data counts as 0. */
export const sumOf = (id: string, label: string, of: Record<string, MetricStat>): Expression => ({
  id,
  label,
  expression: Object.keys(of)
    .map(name => `FILL(${name}, 0)`)
    .join(' + '),
  of,
})

export const sum = (metric: Metric, periodSeconds?: number) => stat('Sum', metric, periodSeconds)
export const maximum = (metric: Metric, periodSeconds?: number) => stat('Maximum', metric, periodSeconds)

export const alarmResources = (alarms: readonly Alarm[]) =>
  Object.fromEntries(alarms.map(alarm => [resourceName(alarm), resourceOf(alarm)]))

const resourceName = ({ name }: Alarm) =>
  `${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Alarm`

/** The ARNs as items of a JSON array, without the first and the last quotation mark, which are in dashboard.yml. */
export const alarmArns = (alarms: readonly Alarm[]) => ({
  'Fn::Join': ['", "', alarms.map(arnOf)],
})

function arnOf(alarm: Alarm) {
  const arn = { 'Fn::GetAtt': [resourceName(alarm), 'Arn'] }
  return alarm.condition ? onlyIf(alarm.condition, arn) : arn
}

function resourceOf({ name, condition, watches, when: [operator, threshold], ...alarm }: Alarm) {
  const { trigger, users, causes, next, missing = 'notBreaching' } = alarm
  const [count, of = count] = alarm.periods
  const actions = [
    onlyIf('HasAlarmEmail', { Ref: 'AlarmTopic' }),
    onlyIf('HasAlarmTopicArn', '${param:alarmTopicArn}'),
  ]
  return {
    Type: 'AWS::CloudWatch::Alarm',
    ...(condition && { Condition: condition }),
    Properties: {
      AlarmName: `${SERVICE}-${name}`,
      AlarmDescription: `Trigger: ${trigger}. Users: ${users}. Causes: ${causes}. Next: ${next}. Runbook: \${param:runbook}#${name}`,
      AlarmActions: actions,
      OKActions: actions,
      ...('Metric' in watches ? oneMetric(watches) : { Metrics: severalMetrics(watches) }),
      ComparisonOperator: OPERATORS[operator],
      Threshold: threshold,
      EvaluationPeriods: of,
      ...(count < of && { DatapointsToAlarm: count }),
      TreatMissingData: missing,
    },
  }
}

const oneMetric = ({ Metric, Period, Stat }: MetricStat) => ({ ...Metric, Statistic: Stat, Period })

const severalMetrics = ({ id, label, expression, of = {}, periodSeconds }: Expression) => [
  { Id: id, Label: label, Expression: expression, ...(periodSeconds && { Period: periodSeconds }) },
  ...Object.entries(of).map(([Id, MetricStat]) => ({ Id, ReturnData: false, MetricStat })),
]
