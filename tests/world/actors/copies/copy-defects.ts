import { defectsIn } from '../../planted-defect.ts'

export const DEFECTS = [
  ...defectsIn('lib/callers/copies/apply-changes.ts', {
    'balances-not-undone: A copy does not undo the balances of a removed event.':
      '[-for (const record of leaving) balances.undo(record)-]',
    'copy-keeps-removed: A copy keeps removed events.':
      "change === 'added' [-? record-]{+|| record.blockNumber % 3 === 0 ? (record as EventRecord)+} : undefined",
  }),
  ...defectsIn('lib/callers/copies/open-sqlite.ts', {
    'quantities-are-reals: SQLite stores quantities as floating-point numbers.':
      'return [-BigInt(decimal)-]{+Number(decimal) as never+}',
  }),
  ...defectsIn('lib/callers/copies/follow/follow-changes.ts', {
    'follow-gives-up: A follower ends when its database is locked.':
      'if (!isExpired[- && !(error instanceof CopyUnavailableError)-]) throw error',
  }),
]
