import { isDeepStrictEqual } from 'node:util'

/**
 * Expects exactly these records in this order. Jest gets only lists that differ, because Jest compares lists of
 * hundreds slowly.
 */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
