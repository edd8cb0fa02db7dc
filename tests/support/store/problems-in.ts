import type { ItemProblem } from '../../../lib/ingest/verify/compare-items.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'

/** Everything that `npm run verify` would report about the table. */
export async function problemsIn(table: Omit<Parameters<typeof verifyTable>[0], 'onProblem'>) {
  const problems: ItemProblem[] = []
  await verifyTable({ ...table, onProblem: problem => problems.push(problem) })
  return problems
}
