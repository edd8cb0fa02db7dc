import {
  type CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy'
import type { LambdaClient } from '@aws-sdk/client-lambda'
import { askVersion, type Question } from './ask-version.ts'

export interface VersionCheckOptions {
  lambda: LambdaClient
  codeDeploy: CodeDeployClient
  /** A smoke check for each new version. */
  questions: Question[]
  /** The alias that receives the traffic, and so points to the live version. */
  liveAlias: string
  log: (line: string) => void
}

/** The event of a CodeDeploy hook: https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam.html */
interface HookEvent {
  DeploymentId: string
  LifecycleEventHookExecutionId: string
}

/**
 * Creates the Lambda handler that CodeDeploy invokes before a new version receives traffic. Every new version has to
 * pass its smoke check. The table may be empty. So a version that finds no events fails only if the live version finds
 * events.
 */
export function createVersionCheck({ codeDeploy, questions, log, ...options }: VersionCheckOptions) {
  return async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<string[]> => {
    const found = await Promise.all(questions.map(question => findProblem(question, options)))
    const problems = found.flatMap(problem => problem ?? [])
    for (const problem of problems) log(JSON.stringify({ level: 'ERROR', message: 'refused', problem }))
    await codeDeploy.send(
      new PutLifecycleEventHookExecutionStatusCommand({
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status: problems.length === 0 ? 'Succeeded' : 'Failed',
      }),
    )
    return problems
  }
}

async function findProblem(
  question: Question,
  { lambda, liveAlias }: Pick<VersionCheckOptions, 'lambda' | 'liveAlias'>,
): Promise<string | undefined> {
  const { functionName, qualifier } = question
  try {
    const reply = await askVersion(lambda, question)
    if (reply === 'answered') return undefined
    if (reply !== 'empty') return `${functionName}:${qualifier} fails: ${reply.problem}`
    const live = await askVersion(lambda, { ...question, qualifier: liveAlias })
    return live === 'answered'
      ? `${functionName}:${qualifier} finds nothing, and the live version does`
      : undefined
  } catch (error) {
    return `${functionName}:${qualifier} could not be asked: ${(error as Error).message}`
  }
}
