import { readFile } from 'node:fs/promises'
import { alarmCheck, findUntold } from '../../infra/operate/smoke/alarm-check.ts'
import { isAllowed, type Statement } from '../support/programs/evaluate-policy.ts'
import { type AwsAnswer, startRecordingAws } from '../support/programs/recording-aws.ts'

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:blockchain-events-prod-AlarmTopic-1X'
const FOREIGN = 'arn:aws:sns:eu-west-1:123456789012:alarms'
const mail = (SubscriptionArn: string) => ({
  Endpoint: 'ops@example.org',
  Protocol: 'email',
  SubscriptionArn,
})
const confirmed = mail(`${TOPIC}:1`)
const pending = mail('PendingConfirmation')
const UNCONFIRMED = `ops@example.org has not confirmed its subscription. Follow the link in AWS's message, or request another message: aws sns subscribe --topic-arn ${TOPIC} --protocol email --notification-endpoint ops@example.org`

test.each([
  ['a confirmed address', [confirmed], []],
  ['an address that has not confirmed', [confirmed, pending], [UNCONFIRMED]],
  ['an address that was removed', [mail('Deleted')], [UNCONFIRMED]],
  [
    'a topic without addresses',
    [],
    [`${TOPIC} has no subscription, so it notifies nobody: subscribe a receiver to it`],
  ],
])('%s is judged', (_, subscriptions, problems) => {
  expect(findUntold([{ arn: TOPIC, subscriptions }])).toEqual(problems)
})

test('a stage without a topic is told which settings to write', () => {
  expect(findUntold([])).toEqual([
    "nobody receives alarms. Write alarmEmail or alarmTopicArn into the stage's settings, and deploy again",
  ])
})

describe('the check of a stage', () => {
  /** The stack created `AlarmTopic` but not `FOREIGN`. */
  const Type = 'AWS::CloudWatch::Alarm'
  const alarm = (...AlarmActions: unknown[]) => ({ Type, Properties: { AlarmActions } })
  const template = {
    Resources: {
      AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: {} },
      Latency: alarm({ Ref: 'AlarmTopic' }, FOREIGN),
      Smoke: alarm(FOREIGN),
    },
  }
  async function check(subscriptions: Record<string, object[]>) {
    const aws = await startRecordingAws(({ name, input }): AwsAnswer | undefined => {
      if (name === 'GetTemplate') return { TemplateBody: JSON.stringify(template) }
      if (name === 'DescribeStackResource') return { StackResourceDetail: { PhysicalResourceId: TOPIC } }
      const { TopicArn, NextToken } = input as { TopicArn: string; NextToken?: string }
      const { [TopicArn]: all = [] } = subscriptions
      const start = Number(NextToken ?? 0)
      const next = start + 1
      // One subscription per page, although the real service returns up to a hundred subscriptions on a page.
      return { Subscriptions: all.slice(start, next), ...(next < all.length && { NextToken: next }) }
    })
    const outcome = await alarmCheck('prod', aws.config)
      .run()
      .catch((error: Error) => `failed: ${error.message}`)
    await aws.stop()
    return { outcome, calls: aws.calls }
  }

  test('reads every page of the own topic and of the one that it has not made, each once', async () => {
    const { outcome, calls } = await check({
      [TOPIC]: [confirmed],
      [FOREIGN]: [mail(`${FOREIGN}:1`), mail(`${FOREIGN}:2`)],
    })

    expect(outcome).toBe('3 subscriptions, confirmed')
    expect(calls.filter(({ name }) => name === 'ListSubscriptionsByTopic')).toHaveLength(3)
    // `DescribeStackResources` would return only the first hundred resources, and the deployer has no right to call it.
    expect(calls.slice(0, 2)).toMatchObject([
      { name: 'GetTemplate', input: { StackName: 'blockchain-events-prod' } },
      {
        name: 'DescribeStackResource',
        input: { StackName: 'blockchain-events-prod', LogicalResourceId: 'AlarmTopic' },
      },
    ])
  })

  test('fails where the last address of a topic has not confirmed', async () => {
    const { outcome } = await check({ [TOPIC]: [confirmed], [FOREIGN]: [mail(`${FOREIGN}:1`), pending] })

    expect(outcome).toMatch(/^failed: ops@example.org has not confirmed/)
  })
})

test.each([
  ['123456789012', 'cloudwatch:eu-west-1:123456789012:alarm:blockchain-events-prod-latency', true],
  ['123456789012', 'budgets::123456789012:budget/blockchain-events-prod', true],
  ['123456789012', 'cloudwatch:eu-west-1:123456789012:alarm:other', false],
  ['999999999999', 'cloudwatch:eu-west-1:999999999999:alarm:blockchain-events-prod-latency', false],
])('a topic with the documented policy takes a message of %s from %s: %s', async (account, source, takes) => {
  const page = await readFile(new URL('../../infra/deploying.md', import.meta.url), 'utf8')
  const [, json = ''] = /## Who is notified\n.*?```json\n(.*?)```/s.exec(page) ?? []
  const { Statement } = JSON.parse(json) as { Statement: Statement[] }
  const context = { 'aws:SourceArn': `arn:aws:${source}`, 'aws:SourceAccount': account }

  expect(isAllowed(Statement, { action: 'sns:Publish', resource: FOREIGN, context })).toBe(takes)
})
