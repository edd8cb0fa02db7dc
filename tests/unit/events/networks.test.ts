import { CHAINS, NETWORKS } from '../../../lib/events/networks.ts'

test('networks are in alphabetical order', () => {
  expect(Object.keys(CHAINS)).toEqual(Object.keys(CHAINS).toSorted())
})

test('the networks of the interface are served', () => {
  expect(NETWORKS).toEqual(expect.arrayContaining(['arbitrum', 'base', 'bnb-chain', 'ethereum', 'polygon']))
})

test('no two networks have the same chain id', () => {
  const chainIds = Object.values(CHAINS).map(({ chainId }) => chainId)
  expect(chainIds).toEqual([...new Set(chainIds)])
})

test('no two networks have the same label', () => {
  const labels = Object.values(CHAINS).map(({ label }) => label)
  expect(labels).toEqual([...new Set(labels)])
})

test('the addresses of block explorers begin with https, and have no trailing slash', () => {
  const urls = Object.values(CHAINS).map(({ explorer }) => explorer.url)
  expect(urls.filter(url => !/^https:\/\/[a-z.-]+$/.test(url))).toEqual([])
})

test('no two networks have the same code in the keys of the table, and no code contains a separator', () => {
  const codes = Object.values(CHAINS).map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
  expect(codes.filter(code => !/^[a-z]+$/.test(code))).toEqual([])
})
