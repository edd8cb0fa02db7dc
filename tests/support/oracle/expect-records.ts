import { isDeepStrictEqual } from 'node:util'

/** Expects the records in this order. Calls jest only if the lists differ, because jest compares long lists slowly. */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
}
