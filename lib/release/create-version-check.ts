import type { LambdaClient } from '@aws-sdk/client-lambda'
import { askVersion, type Question } from './ask-version.ts'

export interface VersionCheckOptions {
  lambda: LambdaClient
  /** The alias that receives the traffic, and therefore points to the live version. */
  liveAlias: string
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-requests.html */
export interface CheckRequest {
  RequestType: 'Create' | 'Update' | 'Delete'
  ResponseURL: string
  StackId: string
  RequestId: string
  LogicalResourceId: string
  ResourceProperties: { questions: Question[] }
}

/**
 * The maximum length of a reason, because CloudFormation accepts responses of at most 4,096 bytes, of which the other
 * fields take about 600.
 */
const LONGEST_REASON = 3000

/**
 * Creates the Lambda handler that CloudFormation invokes after it has published new versions and before it moves any
 * alias. Every new version must pass its smoke check; otherwise, CloudFormation rolls the update back and prints the
 * reasons. Because the table may be empty, a version that finds no events fails only if the live version finds some. A
 * function without a live version passes, because it receives no traffic. Requests other than `Create` always succeed,
 * because no version is published with them, and a failure could prevent a rollback.
 */
export function createVersionCheck(options: VersionCheckOptions) {
  return async ({ RequestType, ResponseURL, ResourceProperties, ...request }: CheckRequest) => {
    const { StackId, RequestId, LogicalResourceId } = request
    const questions = RequestType === 'Create' ? ResourceProperties.questions : []
    const found = await Promise.all(questions.map(question => findProblem(question, options)))
    const problems = found.flatMap(problem => problem ?? [])
    const response = {
      Status: problems.length === 0 ? 'SUCCESS' : 'FAILED',
      Reason: problems.join('; ').slice(0, LONGEST_REASON),
      PhysicalResourceId: LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    }
    // The body is sent as bytes, because `fetch` would add a content type for a string, and the URL's signature allows
    // none.
    await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(response)) })
    return problems
  }
}

async function findProblem(
  question: Question,
  { lambda, liveAlias }: VersionCheckOptions,
): Promise<string | undefined> {
  const { functionName, qualifier } = question
  const reply = await askVersion(lambda, question)
  if (reply === 'answered') return undefined
  const live = await askVersion(lambda, { ...question, qualifier: liveAlias })
  if (typeof live === 'object' && live.isAbsent) return undefined
  if (reply === 'empty' && live !== 'answered') return undefined
  const reason =
    reply === 'empty' ? 'finds no events, although the live version finds some' : `fails: ${reply.problem}`
  return `${functionName} ${qualifier} ${reason} (log group /aws/lambda/${functionName}, streams with [${qualifier}])`
}
