import { defect, type PlantedDefect } from '../../planted-defect.ts'

export const DEFECTS: readonly PlantedDefect[] = [
  defect(
    'balances-not-undone',
    'A copy does not undo the balances of a removed event.',
    'lib/callers/copies/apply-changes.ts',
    'for (const record of leaving) balances.undo(record)',
    '',
  ),
  defect(
    'copy-keeps-removed',
    'A copy keeps removed events.',
    'lib/callers/copies/apply-changes.ts',
    "change === 'added' ? record : undefined",
    "change === 'added' || record.blockNumber % 3 === 0 ? (record as EventRecord) : undefined",
  ),
  defect(
    'quantities-are-reals',
    'SQLite stores quantities as floating-point numbers.',
    'lib/callers/copies/open-sqlite.ts',
    'return BigInt(decimal)',
    'return Number(decimal) as never',
  ),
  defect(
    'follow-gives-up',
    'A follower ends when its database is locked.',
    'lib/callers/copies/follow/follow-changes.ts',
    'if (!isExpired && !(error instanceof CopyUnavailableError)) throw error',
    'if (!isExpired) throw error',
  ),
]
