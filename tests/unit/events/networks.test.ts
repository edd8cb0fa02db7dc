import { CHAINS, NETWORKS } from '../../../lib/events/networks.ts'

test('networks are in alphabetical order', () => {
  expect(NETWORKS).toEqual(Object.keys(CHAINS).toSorted())
})

test('no two networks are of one chain', () => {
  const chainIds = Object.values(CHAINS).map(({ chainId }) => chainId)
  expect(chainIds).toEqual([...new Set(chainIds)])
})
