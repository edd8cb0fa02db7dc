/** Expects exactly these records in this order. Texts are compared first: lists of thousands take long to look through. */
export function expectRecords(found: readonly unknown[], expected: readonly unknown[]): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected)
}
