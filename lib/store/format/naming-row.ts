import { CorruptRowError } from '../../query/errors.ts'

/** If `read` throws, throws a `CorruptRowError` that contains the row's key. */
export function namingRow<Result>(row: { list: string; place: string }, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new CorruptRowError({ ...row, cause })
  }
}
