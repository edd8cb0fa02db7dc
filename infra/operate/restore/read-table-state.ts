import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda'
import { type LiveVersion, readLiveVersions } from '../../deploy/read-deployed.ts'
import { tablesCoveredIn, tableUsedIn } from '../../deploy/template.ts'
import type { DeployedStage } from '../open-stage.ts'
import type { TableState } from './decide-step.ts'

/** Throws if the stack has no functions. */
export async function readTableState(stack: DeployedStage): Promise<TableState> {
  const { deployed, stackName } = stack
  const used = tableUsedIn(deployed)
  if (used === undefined) throw new Error(`${stackName} has no functions yet: deploy the stage first`)
  const { EventsTable } = deployed.Resources
  const { TableName: own } = (EventsTable?.Properties ?? {}) as { TableName?: string }
  const isOwnRetained = EventsTable?.DeletionPolicy === 'Retain'
  const tables = await Promise.all((await readLiveVersions(stack)).map(each => tablesOf(stack.lambda, each)))
  const live = [...new Set(tables.flat())]
  return { used, covered: tablesCoveredIn(deployed), live, own, isOwnRetained }
}

async function tablesOf(
  client: LambdaClient,
  { functionName: FunctionName, tableName, weights }: LiveVersion,
): Promise<string[]> {
  const others = await Promise.all(
    Object.keys(weights).map(async Qualifier => {
      const { Environment } = await client.send(
        new GetFunctionConfigurationCommand({ FunctionName, Qualifier }),
      )
      return Environment?.Variables?.EVENTS_TABLE
    }),
  )
  return [tableName, ...others].filter(table => table !== undefined)
}
