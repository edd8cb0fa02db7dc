import { checkTable } from '../../../lib/kit/check-table.ts'
import { explainFailure } from '../../../lib/kit/explain-failure.ts'
import { askVersion } from '../../../lib/release/ask-version.ts'
import { readSmokePayload, SHIFTED_FUNCTIONS, type ShiftedFunction } from '../../deploy/shifted-functions.ts'
import { tablesCoveredIn } from '../../deploy/template.ts'
import type { DeployedStage } from '../open-stage.ts'
import type { Move } from './decide-rollback.ts'

/**
 * Resolves with the reasons against shifting traffic to these versions, one sentence each: a smoke check fails, or a
 * table is missing, incompatible, unreachable or not covered by the roles. A smoke check that finds no events does not
 * count as failed, because the table may be empty.
 */
export async function checkTargets(opened: DeployedStage, moves: Move[]): Promise<string[]> {
  const tables = [...new Set(moves.flatMap(({ to }) => to.tableName ?? []))]
  const found = await Promise.all([
    ...tables.map(tableName => findTableProblem(opened, tableName)),
    ...moves.map(move => findVersionProblem(opened, move)),
  ])
  return found.flatMap(problem => problem ?? [])
}

async function findTableProblem(
  { dynamoDb, deployed }: DeployedStage,
  tableName: string,
): Promise<string | undefined> {
  if (!tablesCoveredIn(deployed).includes(tableName))
    return `The roles of the stack give no access to ${tableName}, which the target version reads. To move the stage back to that table, run npm run restore for this stage, with --table ${tableName}`
  try {
    await checkTable(dynamoDb, tableName)
    return undefined
  } catch (error) {
    return explainFailure(error, { table: tableName })
  }
}

async function findVersionProblem(
  { lambda, deployed }: DeployedStage,
  { functionName, to }: Move,
): Promise<string | undefined> {
  const payload = readSmokePayload(
    deployed,
    SHIFTED_FUNCTIONS[functionName.split('-').at(-1) as ShiftedFunction],
  )
  if (payload === undefined) return undefined
  const reply = await askVersion(lambda, { functionName, qualifier: to.number, payload })
  if (typeof reply === 'string') return undefined
  return `Version ${to.number} of ${functionName} fails its smoke check: ${reply.problem}`
}
