import { CloudFormationClient, type CloudFormationClientConfig } from '@aws-sdk/client-cloudformation'
import {
  paginateListSubscriptionsByTopic,
  SNSClient,
  type SNSClientConfig,
  type Subscription,
} from '@aws-sdk/client-sns'
import { commandLimits } from '../../../lib/kit/command-client.ts'
import { findRegion } from '../../../lib/kit/find-region.ts'
import { counted } from '../../../lib/kit/printable.ts'
import { readDeployed, readPhysicalId } from '../../deploy/read-deployed.ts'
import type { Template } from '../../deploy/template.ts'

type ClientConfig = CloudFormationClientConfig & SNSClientConfig

export interface AlarmTopic {
  arn: string
  subscriptions: Pick<Subscription, 'Endpoint' | 'Protocol' | 'SubscriptionArn'>[]
}

/** Checks, with the shell's AWS credentials and region, whether a stage's alarms reach somebody. */
export const alarmCheck = (stage: string, config: ClientConfig = {}) => ({
  name: 'who receives alarms',
  async run() {
    const region = config.region ?? (await findRegion())
    if (!region) throw new Error('no AWS region was found: set AWS_REGION')
    const topics = await readTopics(`blockchain-events-${stage}`, {
      requestHandler: commandLimits(),
      ...config,
      region,
    })
    const problems = findUntold(topics)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return `${counted(topics.flatMap(topic => topic.subscriptions).length, 'subscription')}, confirmed`
  },
})

/**
 * Returns a message for each topic without a subscription, and for each unconfirmed subscription. If there are no
 * topics, returns one message that says so.
 */
export function findUntold(topics: AlarmTopic[]): string[] {
  if (topics.length === 0)
    return [
      "nobody receives alarms. Write alarmEmail or alarmTopicArn into the stage's settings, and deploy again",
    ]
  return topics.flatMap(({ arn, subscriptions }) => {
    if (subscriptions.length === 0)
      return [`${arn} has no subscription, so it notifies nobody: subscribe a receiver to it`]
    return subscriptions
      .filter(({ SubscriptionArn }) => !SubscriptionArn?.startsWith('arn:'))
      .map(
        ({ Endpoint, Protocol }) =>
          `${Endpoint} has not confirmed its subscription. Follow the link in AWS's message, or request another message: aws sns subscribe --topic-arn ${arn} --protocol ${Protocol} --notification-endpoint ${Endpoint}`,
      )
  })
}

async function readTopics(stackName: string, config: ClientConfig): Promise<AlarmTopic[]> {
  const stacks = new CloudFormationClient(config)
  const sns = new SNSClient(config)
  try {
    const template = await readDeployed(stacks, stackName)
    if (!template)
      throw new Error(
        `there is no stack ${stackName} in this account and region: check --stage and AWS_REGION`,
      )
    const own = Object.entries(template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::SNS::Topic')
      .map(([name]) => name)
    const arns = await Promise.all(
      own.map(LogicalResourceId => readPhysicalId(stacks, { StackName: stackName, LogicalResourceId })),
    )
    return await Promise.all(
      [...arns, ...foreignTopics(template)].flatMap(arn => (arn === undefined ? [] : readTopic(sns, arn))),
    )
  } finally {
    stacks.destroy()
    sns.destroy()
  }
}

/** Returns the ARNs of the topics that the stack did not create. In the template, only these ARNs are literal text. */
function foreignTopics(template: Template): string[] {
  const actions = Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .flatMap(({ Properties = {} }) => [Properties.AlarmActions ?? []].flat())
  return [...new Set(actions.filter(action => typeof action === 'string'))]
}

async function readTopic(client: SNSClient, arn: string): Promise<AlarmTopic> {
  const subscriptions: Subscription[] = []
  for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: arn })) {
    subscriptions.push(...(page.Subscriptions ?? []))
  }
  return { arn, subscriptions }
}
