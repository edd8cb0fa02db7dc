import { isDeepStrictEqual } from 'node:util'

/**
 * Expects exactly these records in this order. Only lists that differ are passed to jest, because jest compares lists
 * of hundreds of records slowly.
 */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
