import { CHAINS, NETWORKS } from '../../../lib/events/networks.ts'

test('networks are in alphabetical order', () => {
  expect(NETWORKS).toEqual(Object.keys(CHAINS).toSorted())
})

test('no two networks are of one chain', () => {
  const chainIds = Object.values(CHAINS).map(({ chainId }) => chainId)
  expect(chainIds).toEqual([...new Set(chainIds)])
})

test('no two networks have the same code in the keys of the table, and none has what separates the parts of keys', () => {
  const codes = Object.values(CHAINS).map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
  expect(codes.filter(code => !/^[a-z]+$/.test(code))).toEqual([])
})
