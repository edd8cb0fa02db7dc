import type { CopyDatabase } from './copy-database.ts'
import { CopyTargetError } from './copy-errors.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'

const SQLITE = 'sqlite:'

/** The file of `sqlite:FILE`. Undefined for any other target. */
export const fileOf = (target: string): string | undefined =>
  target.startsWith(SQLITE) && target.length > SQLITE.length ? target.slice(SQLITE.length) : undefined

/** Opens the database of `sqlite:FILE` or `postgres://…`. Throws `CopyTargetError` for any other text. */
export function openDatabase(target: string): CopyDatabase {
  const file = fileOf(target)
  if (file !== undefined) return openSqlite(file)
  if (!/^postgres(ql)?:\/\//.test(target) || !URL.canParse(target)) throw new CopyTargetError()
  return openPostgres(target)
}
