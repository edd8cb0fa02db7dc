import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import type { FunctionVersions, Move } from './decide-rollback.ts'

interface Stack {
  stackName: string
  stage: string
  /** The region, if the user has named it. The printed commands then name it, too. */
  region: string | undefined
}

interface RolledBack extends Stack {
  functions: FunctionVersions[]
  moves: Move[]
}

/** Describes what to do with the stack after the traffic has shifted. */
export async function describeNext(
  client: CloudFormationClient,
  { functions, moves, ...stack }: RolledBack,
): Promise<string> {
  const { Stacks: [found] = [] } = await client.send(
    new DescribeStacksCommand({ StackName: stack.stackName }),
  )
  const isAsStack = functions.every(({ stackVersion }, index) => stackVersion === moves[index]?.to.version)
  return nextStep(found?.StackStatus ?? '', { ...stack, isAsStack })
}

/** Describes what to do when the stack has this status. */
export function nextStep(
  status: string,
  { stackName, stage, region, isAsStack }: Stack & { isAsStack: boolean },
): string {
  const inRegion = region === undefined ? '' : ` --region ${region}`
  if (status.endsWith('ROLLBACK_FAILED'))
    return `CloudFormation could not undo its update (${status}): aws cloudformation continue-update-rollback --stack-name ${stackName}${inRegion}`
  // During the cleanup after a successful update, the new version stays as it is.
  if (status.endsWith('IN_PROGRESS') && !status.includes('COMPLETE_CLEANUP'))
    return [
      `CloudFormation undoes the update that was under way (${status}). Wait for it before the next deployment:`,
      `  aws cloudformation wait stack-rollback-complete --stack-name ${stackName}${inRegion}`,
    ].join('\n')
  if (isAsStack) return 'The stack has this version, too: nothing is left to do.'
  return [
    'The stack still has the version that was left: status, docs, fallback and the indexer run its code.',
    `  Mend it, or check out the commit before, and: npm run deploy -- --stage ${stage}${inRegion}`,
    '  That deployment moves all traffic at once, so a firing alarm does not stop it.',
    `  If the version that was left is good after all: npm run rollback -- --stage ${stage} --to stack${inRegion}`,
  ].join('\n')
}
