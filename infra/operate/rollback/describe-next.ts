import { isUnderWay } from './decide-rollback.ts'

interface Stack {
  stackName: string
  stage: string
  /** If specified, the printed commands specify it, too. */
  region: string | undefined
  /** Whether the version that now has all traffic is also the version in the stack's template. */
  isAsStack: boolean
  /** The number of shifts that were stopped. If a shift is stopped, CloudFormation rolls back the update. */
  stopped: number
}

export function describeNext(
  status: string,
  { stackName, stage, region, isAsStack, stopped }: Stack,
): string {
  const inRegion = region === undefined ? '' : ` --region ${region}`
  if (hasFailed(status)) return explainFailure(status, { stackName, region })
  if (isUnderWay(status) && !status.includes('ROLLBACK') && stopped === 0)
    return `An update is still in progress (${status}), and will continue. To undo it as well: aws cloudformation cancel-update-stack --stack-name ${stackName}${inRegion}`
  if (isUnderWay(status))
    return [
      `CloudFormation is undoing the update that was in progress (${status}). Wait until it has finished before you deploy again:`,
      `  aws cloudformation wait stack-rollback-complete --stack-name ${stackName}${inRegion}`,
    ].join('\n')
  if (isAsStack)
    return "The version that has all traffic is also the stack's version, so nothing is left to do."
  return [
    'The stack still has the version that was rolled back, so functions without versions, such as status, still run its code.',
    `  Fix the code, or check out the previous commit, and run: npm run deploy -- --stage ${stage}${inRegion}`,
    '  That deployment moves all traffic in a single step after its check, so a firing alarm does not stop it.',
    `  If the version that was rolled back is good after all: npm run rollback -- --stage ${stage} --to stack${inRegion}`,
  ].join('\n')
}

/** Says why a stack with this status cannot be deployed now, and what to do. Undefined for other statuses. */
export function explainUndeployable(
  status: string,
  stack: Pick<Stack, 'stackName' | 'region'>,
): string | undefined {
  if (hasFailed(status)) return `${explainFailure(status, stack)}\nThen run npm run restore again.`
  if (!status.endsWith('IN_PROGRESS')) return undefined
  return `${stack.stackName} is being updated (${status}): wait until the update has finished, then run this command again`
}

const hasFailed = (status: string) => status.endsWith('ROLLBACK_FAILED')

function explainFailure(status: string, { stackName, region }: Pick<Stack, 'stackName' | 'region'>): string {
  const inRegion = region === undefined ? '' : ` --region ${region}`
  return [
    `CloudFormation could not undo its update (${status}), so the stack cannot be deployed yet. Remove the cause that the stack's events name, and run the following command with credentials that can deploy, because CloudFormation uses their rights:`,
    `  aws cloudformation continue-update-rollback --stack-name ${stackName}${inRegion}`,
  ].join('\n')
}
