import { isSameContracts, parseLeaseState } from '../../../lib/store/format/checkpoint.ts'

test.each<[string, ...Parameters<typeof isSameContracts>, boolean]>([
  ['in another order', ['0xa', '0xb'], ['0xb', '0xa'], true],
  ['given twice', ['0xa', '0xb', '0xa'], ['0xa', '0xb'], true],
  ['with another one', ['0xa'], ['0xa', '0xb'], false],
  ['instead of all contracts', 'any', ['0xa'], false],
])('contracts %s', (_, one, other, isSame) => {
  expect(isSameContracts(one, other)).toBe(isSame)
  expect(isSameContracts(other, one)).toBe(isSame)
})

test('a scope with a key of another version is refused, because an indexer that ignored it would leave events out', () => {
  const lease = { network: 'base', fence: 1, renewals: 1, owner: 'a', leased: false, leaseMs: 30_000 }
  const scope = { fromBlock: 0, contracts: 'any' }

  expect(parseLeaseState({ ...lease, scope })).toMatchObject({ scope })
  expect(() => parseLeaseState({ ...lease, scope: { ...scope, kinds: ['x'] } })).toThrow(
    /^In the table, the indexing state of base is unusable: scope was stored by another version, .*: use that version$/,
  )
})
