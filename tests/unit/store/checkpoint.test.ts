import { isSameContracts } from '../../../lib/store/format/checkpoint.ts'

test.each<[string, ...Parameters<typeof isSameContracts>, boolean]>([
  ['in another order', ['0xa', '0xb'], ['0xb', '0xa'], true],
  ['given twice', ['0xa', '0xb', '0xa'], ['0xa', '0xb'], true],
  ['with another one', ['0xa'], ['0xa', '0xb'], false],
  ['instead of all contracts', 'any', ['0xa'], false],
])('contracts %s', (_, one, other, isSame) => {
  expect(isSameContracts(one, other)).toBe(isSame)
  expect(isSameContracts(other, one)).toBe(isSame)
})
