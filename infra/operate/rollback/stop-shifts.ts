import { setTimeout as wait } from 'node:timers/promises'
import {
  type CodeDeployClient,
  DeploymentStatus,
  GetDeploymentCommand,
  paginateListDeployments,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy'

/** The names of the deployment groups, as in traffic.yml. */
const GROUPS = ['user-events', 'token-events', 'changes']
const UNDER_WAY = [
  DeploymentStatus.CREATED,
  DeploymentStatus.QUEUED,
  DeploymentStatus.IN_PROGRESS,
  DeploymentStatus.READY,
]
const POLL_MS = 1000
const PATIENCE_MS = 60_000

/**
 * Stops all current traffic shifts, and resolves with how many there were. After that, CodeDeploy no longer changes any
 * alias.
 */
export async function stopShifts(client: CodeDeployClient, applicationName: string): Promise<number> {
  const running = (await Promise.all(GROUPS.map(group => listRunning(client, applicationName, group)))).flat()
  await Promise.all(running.map(deploymentId => stopShift(client, deploymentId)))
  return running.length
}

async function listRunning(client: CodeDeployClient, applicationName: string, deploymentGroupName: string) {
  const ids: string[] = []
  const pages = paginateListDeployments(
    { client },
    { applicationName, deploymentGroupName, includeOnlyStatuses: UNDER_WAY },
  )
  for await (const { deployments = [] } of pages) ids.push(...deployments)
  return ids
}

async function stopShift(client: CodeDeployClient, deploymentId: string): Promise<void> {
  try {
    // CodeDeploy must not roll back by itself, because it would change the alias at the same time as this command.
    await client.send(new StopDeploymentCommand({ deploymentId, autoRollbackEnabled: false }))
  } catch (error) {
    if ((error as Error).name !== 'DeploymentAlreadyCompletedException') throw error
    return
  }
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const { deploymentInfo } = await client.send(new GetDeploymentCommand({ deploymentId }))
    if (!UNDER_WAY.some(status => status === deploymentInfo?.status)) return
    await wait(POLL_MS)
  }
  throw new Error(`CodeDeploy did not stop ${deploymentId} within a minute: run this command again`)
}
