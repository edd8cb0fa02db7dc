import { isDeepStrictEqual } from 'node:util'

/** Expects exactly these records in this order. Jest, which looks through lists of hundreds slowly, only tells the difference. */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
