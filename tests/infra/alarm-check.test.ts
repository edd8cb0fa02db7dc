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
const UNCONFIRMED = expect.stringMatching(/^ops@example.org has not confirmed/)
const NOBODY = 'has no subscription, so it notifies nobody'
const confirmed = mail(`${TOPIC}:1`)
const pending = mail('PendingConfirmation')

test.each([
  ['a confirmed address', [{ arn: TOPIC, subscriptions: [confirmed] }], []],
  [
    'an address that has not confirmed',
    [{ arn: TOPIC, subscriptions: [confirmed, pending] }],
    [
      `ops@example.org has not confirmed its subscription: follow the link in AWS's message; to get another message: aws sns subscribe --topic-arn ${TOPIC} --protocol email --notification-endpoint ops@example.org`,
    ],
  ],
  ['an address that was removed', [{ arn: TOPIC, subscriptions: [mail('Deleted')] }], [UNCONFIRMED]],
  ['a topic without addresses', [{ arn: TOPIC, subscriptions: [] }], [`${TOPIC} ${NOBODY}`]],
  [
    'no topic',
    [],
    ["nobody receives alarms. Write alarmEmail or alarmTopicArn into the stage's settings, and deploy again"],
  ],
])('%s is judged', (_, topics, problems) => {
  expect(findUntold(topics)).toEqual(problems)
})

describe('the check of a stage', () => {
  /** The stack created `AlarmTopic` but not `FOREIGN`. */
  const alarm = (...AlarmActions: unknown[]) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { AlarmActions },
  })
  const template = {
    Resources: {
      AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: {} },
      Latency: alarm({ Ref: 'AlarmTopic' }, FOREIGN),
      Smoke: alarm(FOREIGN),
    },
  }
  const resources = [
    { LogicalResourceId: 'AlarmTopic', PhysicalResourceId: TOPIC },
    { LogicalResourceId: 'Latency', PhysicalResourceId: 'latency' },
  ]

  async function check(subscriptions: Record<string, object[]>) {
    const aws = await startRecordingAws(({ name, input }): AwsAnswer | undefined => {
      if (name === 'GetTemplate') return { TemplateBody: JSON.stringify(template) }
      if (name === 'DescribeStackResources') return { StackResources: resources }
      const { TopicArn, NextToken } = input as { TopicArn: string; NextToken?: string }
      const { [TopicArn]: all = [] } = subscriptions
      const start = Number(NextToken ?? 0)
      // One subscription per page. The real service needs several pages only for more than a hundred subscriptions.
      return {
        Subscriptions: all.slice(start, start + 1),
        ...(start + 1 < all.length && { NextToken: start + 1 }),
      }
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
    expect(calls[0]?.input).toMatchObject({ StackName: 'blockchain-events-prod' })
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
