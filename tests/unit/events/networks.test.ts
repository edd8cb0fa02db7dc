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

test('the addresses of block explorers begin with https, and have no trailing slash', () => {
  const urls = Object.values(CHAINS).map(({ explorer }) => explorer.url)
  expect(urls.filter(url => !/^https:\/\/[a-z.-]+$/.test(url))).toEqual([])
})

test('no code in the keys of the table contains a separator', () => {
  expect(Object.values(CHAINS).filter(({ code }) => !/^[a-z]+$/.test(code))).toEqual([])
})
