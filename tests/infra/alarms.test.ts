import { readFile } from 'node:fs/promises'
import { PROBLEMS } from '../../lib/http/problems.ts'
import { resourcesOf, usePackagedService } from '../support/programs/use-packaged-service.ts'

const RUNBOOK = new URL('../../infra/README.md', import.meta.url)
const packaged = usePackagedService('prod')

interface Alarm {
  AlarmName: string
  AlarmDescription: string
  AlarmActions: unknown
  OKActions: unknown
  TreatMissingData: string
  MetricName?: string
  Dimensions?: { Name: string; Value: unknown }[]
  Metrics?: { MetricStat?: { Metric: { MetricName: string } } }[]
}

const alarms = () =>
  Object.values(resourcesOf(packaged.template, 'AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties as unknown as Alarm,
  )

/** What GitHub makes of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** The sections of the runbook by the anchors of their headings. */
async function runbookSections(): Promise<Map<string, string>> {
  const [, ...sections] = (await readFile(RUNBOOK, 'utf8')).split(/^#{2,4} /m)
  return new Map(
    sections.map(section => {
      const [heading = '', ...lines] = section.split('\n')
      return [anchorOf(heading), lines.join('\n').trim()]
    }),
  )
}

/** Every metric that an alarm looks at. */
const metricsOf = ({ MetricName, Metrics = [] }: Alarm) => [
  ...(MetricName ? [MetricName] : []),
  ...Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric.MetricName] : [])),
]

test('there are alarms on errors, throttles, latency, corrupt rows, index lag and failing smoke checks', () => {
  expect(
    alarms()
      .map(({ AlarmName }) => AlarmName.replace('blockchain-events-prod-', ''))
      .sort(),
  ).toEqual([
    'answers-fail',
    'corrupt-rows',
    'function-throttles',
    'index-errors',
    'index-lag',
    'latency',
    'table-throttles',
    'token-events-errors',
    'token-events-smoke',
    'user-events-errors',
    'user-events-smoke',
  ])
})

test('each alarm says its trigger, what users feel, likely causes, the next step and where to read on', () => {
  for (const { AlarmName, AlarmDescription } of alarms()) {
    const anchor = AlarmName.replace('blockchain-events-prod-', '')
    expect(AlarmDescription).toMatch(
      new RegExp(`^Trigger: .+ Users: .+ Causes: .+ Next: .+ Runbook: infra/README\\.md#${anchor}$`),
    )
    // CloudWatch takes no more.
    expect(AlarmDescription.length).toBeLessThanOrEqual(1024)
  }
})

test('each alarm has a section in the runbook that says what to look at and what to do', async () => {
  const sections = await runbookSections()
  for (const { AlarmDescription } of alarms()) {
    const [, anchor = ''] = AlarmDescription.split('#')
    const section = sections.get(anchor)
    expect([anchor, section?.length ?? 0]).toEqual([anchor, expect.any(Number)])
    expect(section).toMatch(/\*\*Look\*\*.*\*\*Do\*\*/s)
  }
})

test('each alarm tells of its beginning and its end, where there is an address to tell', () => {
  const actions = { 'Fn::If': ['HasAlarmEmail', [{ Ref: 'AlarmTopic' }], { Ref: 'AWS::NoValue' }] }
  for (const { AlarmActions, OKActions } of alarms()) {
    expect([AlarmActions, OKActions]).toEqual([actions, actions])
  }
})

test('silence is an alarm for smoke checks and the indexer, and for nothing else', () => {
  const loud = alarms().filter(({ TreatMissingData }) => TreatMissingData === 'breaching')

  expect(loud.map(({ AlarmName }) => AlarmName.replace('blockchain-events-prod-', '')).sort()).toEqual([
    'index-lag',
    'token-events-smoke',
    'user-events-smoke',
  ])
})

test('the dashboard shows every alarm, what it looks at, and every status that there is', () => {
  const body = packaged.template.Resources.Dashboard?.Properties.DashboardBody as {
    'Fn::Sub': [string, Record<string, { 'Fn::If': [string, { 'Fn::Sub': string }, string] }>]
  }
  const [template, optional] = body['Fn::Sub']
  const text = Object.entries(optional).reduce(
    (filled, [name, value]) => filled.replace(`\${${name}}`, value['Fn::If'][1]['Fn::Sub']),
    template,
  )
  const { widgets } = JSON.parse(text) as {
    widgets: { type: string; properties: { alarms?: string[]; metrics?: unknown[][] } }[]
  }
  const shown = widgets.flatMap(({ properties }) => properties.alarms ?? [])
  const names = Object.keys(resourcesOf(packaged.template, 'AWS::CloudWatch::Alarm'))

  expect(shown.sort()).toEqual(names.map(name => `\${${name}.Arn}`).sort())
  const metrics = JSON.stringify(widgets.map(({ properties }) => properties.metrics))
  const statuses = Object.values(PROBLEMS).map(({ status }) => `Status${status}`)
  for (const name of [...alarms().flatMap(metricsOf), ...statuses, 'Status200']) {
    expect([name, metrics.includes(name)]).toEqual([name, true])
  }
})
