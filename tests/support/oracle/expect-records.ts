import { isDeepStrictEqual } from 'node:util'

/** Expects this order. Jest gets only lists that differ, because it compares lists of hundreds of records slowly. */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
