import { CHAINS, NETWORKS } from '../../../lib/events/networks.ts'

test('networks are in alphabetical order', () => {
  expect(Object.keys(CHAINS)).toEqual(Object.keys(CHAINS).toSorted())
})

test('the networks of the interface are served', () => {
  expect(NETWORKS).toEqual(expect.arrayContaining(['arbitrum', 'base', 'bnb-chain', 'ethereum', 'polygon']))
})

test.each(['chainId', 'label', 'code'] as const)('no two networks have the same %s', name => {
  const values = Object.values(CHAINS).map(chain => chain[name])
  expect(values).toEqual([...new Set(values)])
})

test('addresses of explorers begin with https and have no trailing slash, and codes have no separator of keys', () => {
  const rows = Object.values(CHAINS)
  expect(rows.filter(({ explorer }) => !/^https:\/\/[a-z.-]+$/.test(explorer.url))).toEqual([])
  expect(rows.filter(({ code }) => !/^[a-z]+$/.test(code))).toEqual([])
})
