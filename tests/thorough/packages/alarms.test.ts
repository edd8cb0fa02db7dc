import { readFile } from 'node:fs/promises'
import { WING_ALARMS } from '../../../infra/deploy/wings/wings.ts'
import { PROBLEMS } from '../../../lib/http/problems.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf } from '../../support/programs/use-packaged-service.ts'

const RUNBOOK = new URL('../../../infra/runbook.md', import.meta.url)
const packaged = useVariant('full')
const prod = useVariant('prod')

interface Alarm {
  AlarmName: string
  AlarmDescription: string
  AlarmActions: unknown
  OKActions: unknown
  TreatMissingData: string
  MetricName?: string
  Dimensions?: { Name: string; Value: unknown }[]
  Metrics?: { Expression?: string; MetricStat?: { Metric: { MetricName: string } } }[]
}

const alarms = ({ template } = packaged) =>
  Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties as unknown as Alarm,
  )

const alarm = (name: string) => alarms().find(({ AlarmName }) => AlarmName.endsWith(`-${name}`)) as Alarm

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** The sections by anchor: a section has its heading's anchor, and the anchors of the alarms that share the section. */
async function runbookSections(): Promise<Map<string, string>> {
  const [, ...sections] = (await readFile(RUNBOOK, 'utf8')).split(/^## /m)
  return new Map(
    sections.flatMap(section => {
      const [heading = '', ...lines] = section.split('\n')
      const anchors = [...section.matchAll(/<a id="([\w-]+)">/g)].map(([, anchor = '']) => anchor)
      return [anchorOf(heading), ...anchors].map((anchor): [string, string] => [anchor, lines.join('\n')])
    }),
  )
}

const metricsOf = ({ MetricName, Metrics = [] }: Alarm) => [
  ...(MetricName ? [MetricName] : []),
  ...Metrics.flatMap(({ MetricStat, Expression = '' }) => [
    ...(MetricStat ? [MetricStat.Metric.MetricName] : []),
    ...(/^SELECT SUM\((\w+)\)/.exec(Expression)?.slice(1) ?? []),
  ]),
]

test('each alarm says its trigger, what users feel, likely causes, the next step and where to read on', () => {
  expect(alarms().length).toBeGreaterThan(20)
  for (const { AlarmName, AlarmDescription } of alarms()) {
    const anchor = AlarmName.replace('blockchain-events-staging-', '')
    expect(AlarmDescription).toMatch(
      new RegExp(
        `^Trigger: .+ Users: .+ Causes: .+ Next: .+ Runbook: https://github\\.com/our-org/our-repository/blob/HEAD/infra/runbook\\.md#${anchor}$`,
      ),
    )
    // CloudWatch's maximum.
    expect(AlarmDescription.length).toBeLessThanOrEqual(1024)
  }
})

test('each alarm has a section in the runbook: what it means, what to do now, and what to do afterwards', async () => {
  const sections = await runbookSections()
  for (const { AlarmDescription } of alarms()) {
    const [, anchor = ''] = AlarmDescription.split('#')
    expect([anchor, sections.get(anchor)]).toEqual([
      anchor,
      expect.stringMatching(/\*\*It means\*\* that .*\n\n\*\*Now\*\*.*\n\n\*\*Afterwards\*\*/s),
    ])
  }
})

test('each alarm tells of its beginning and its end: the address, a topic that exists, or both', () => {
  const both = [{ Ref: 'AlarmTopic' }, 'arn:aws:sns:us-east-1:123456789012:alarms']
  for (const { AlarmActions, OKActions } of alarms()) expect([AlarmActions, OKActions]).toEqual([both, both])
  for (const { AlarmActions, OKActions } of alarms(prod)) expect([AlarmActions, OKActions]).toEqual([[], []])
})

test('a direct call that came too early is no error to be told of', () => {
  for (const name of ['user-events', 'token-events']) {
    const { Metrics = [] } = alarm(`${name}-errors`)

    expect(Metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual(['errors - FILL(early, 0)'])
    expect(Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])).toMatchObject([
      { Namespace: 'AWS/Lambda', MetricName: 'Errors' },
      {
        Namespace: 'BlockchainEvents',
        MetricName: 'DirectNotIndexedYet',
        Dimensions: [
          { Name: 'service', Value: 'blockchain-events-staging' },
          { Name: 'endpoint', Value: name },
        ],
      },
    ])
  }
})

test('latency is looked at however few requests there are', () => {
  const { Metrics = [], ...rest } = alarm('latency')

  expect(rest).not.toHaveProperty('EvaluateLowSampleCountPercentile')
  expect(Metrics.map(({ Expression }) => Expression).filter(Boolean)).toEqual([
    'IF(requests >= 1000, p99, p90)',
  ])
})

test("DynamoDB's metrics, which exist only where there was throttling, are added up by a query", () => {
  const queries = ['table-throttles', 'table-read-limit', 'table-write-throttles'].map(
    name => alarm(name).Metrics,
  )

  expect(queries).toEqual(
    ['ReadThrottleEvents', 'ReadMaxOnDemandThroughputThrottleEvents', 'WriteThrottleEvents'].map(metric => [
      expect.objectContaining({
        Expression: `SELECT SUM(${metric}) FROM "AWS/DynamoDB" WHERE TableName = 'blockchain-events-staging'`,
      }),
    ]),
  )
  for (const { Metrics = [] } of alarms()) {
    expect(
      Metrics.filter(({ MetricStat }) => JSON.stringify(MetricStat ?? '').includes('AWS/DynamoDB')),
    ).toEqual([])
  }
})

test('what the gateway refuses is counted in its log', () => {
  const { RefusalsFilter, HttpApiStage } = packaged.template.Resources
  const { AccessLogSettings } = { ...HttpApiStage?.Properties } as { AccessLogSettings: { Format: string } }

  expect(RefusalsFilter?.Properties).toMatchObject({
    LogGroupName: { Ref: 'HttpApiLogGroup' },
    FilterPattern: '{ $.status = "429" }',
    MetricTransformations: [
      { MetricName: 'GatewayRefusals', Dimensions: [{ Key: 'service', Value: '$.service' }] },
    ],
  })
  expect(JSON.parse(AccessLogSettings.Format)).toMatchObject({
    service: 'blockchain-events-staging',
    status: '$context.status',
  })
  expect(alarm('gateway-refusals').Dimensions).toEqual([
    { Name: 'service', Value: 'blockchain-events-staging' },
  ])
})

test('silence is an alarm only for what a schedule invokes', () => {
  const ofWings = WING_ALARMS.map(({ name }) => `blockchain-events-staging-${name}`)
  const loud = alarms()
    .filter(
      ({ AlarmName, TreatMissingData }) => TreatMissingData === 'breaching' && !ofWings.includes(AlarmName),
    )
    .map(({ AlarmName }) => AlarmName.replace('blockchain-events-staging-', ''))

  expect(loud.sort()).toEqual(['changes-smoke', 'index-lag', 'token-events-smoke', 'user-events-smoke'])
})

interface Widget {
  properties: { title: string; alarms?: string[]; metrics?: unknown[][] }
}

/** The ARN of an alarm appears as `<resource>.Arn`. */
function widgets(): Widget[] {
  const body = packaged.template.Resources.Dashboard?.Properties.DashboardBody as {
    'Fn::Sub': [string, { AlarmArns: { 'Fn::Join': [string, { 'Fn::GetAtt': string[] }[]] } }]
  }
  const [template, { AlarmArns }] = body['Fn::Sub']
  const [separator, arns] = AlarmArns['Fn::Join']
  const text = template.replace(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills it in.
    '${AlarmArns}',
    arns.map(arn => arn['Fn::GetAtt'].join('.')).join(separator),
  )
  return JSON.parse(text).widgets
}

/** A function's metrics that a widget shows, such as `Errors ${PublishLambdaFunction}`. `...` repeats earlier values. */
function metricsOfFunctions({ properties: { metrics = [] } }: Widget): string[] {
  let before: unknown[] = []
  return metrics.flatMap(line => {
    const [first, ...rest] = line.filter(each => typeof each === 'string')
    if (first === '...') before = [...before.slice(0, -rest.length), ...rest]
    else before = [first, ...rest].map((each, index) => (each === '.' ? before[index] : each))
    const [namespace, name, , lambda] = before
    return namespace === 'AWS/Lambda' ? [`${name} ${lambda}`] : []
  })
}

test('the dashboard shows every alarm, what it looks at, and every status that there is', () => {
  const shown = widgets().flatMap(({ properties }) => properties.alarms ?? [])
  const names = Object.keys(resourcesOf(packaged.template, 'AWS::CloudWatch::Alarm'))
  const metrics = JSON.stringify(widgets().map(({ properties }) => properties.metrics))
  const statuses = Object.values(PROBLEMS).map(({ status }) => `Status${status}`)
  const ofFunctions = [
    ...JSON.stringify(alarms()).matchAll(/"(\w+)","Dimensions":\[[^\]]*"(\w+LambdaFunction)"}}\]/g),
  ]

  expect(shown.sort()).toEqual(names.map(name => `${name}.Arn`).sort())
  for (const name of [...alarms().flatMap(metricsOf), ...statuses, 'Status200']) {
    expect([name, metrics.includes(name)]).toEqual([name, true])
  }
  expect(ofFunctions.length).toBeGreaterThan(10)
  expect(widgets().flatMap(metricsOfFunctions)).toEqual(
    expect.arrayContaining(ofFunctions.map(([, name, lambda]) => `${name} \${${lambda}}`)),
  )
})

test('a search on the dashboard names a property for each value, because a value by itself has to match exactly', () => {
  const searches = widgets().flatMap(({ properties: { metrics = [] } }) => [
    ...JSON.stringify(metrics)
      .replaceAll('\\"', '"')
      .matchAll(/SEARCH\('\{[^}]+\} ([^']+)'/g),
  ])

  expect(searches.length).toBeGreaterThan(5)
  for (const [, terms = ''] of searches)
    expect(terms.replaceAll(/\w+=("[^"]+"|\([^)]+\))/g, '').trim()).toBe('')
})
