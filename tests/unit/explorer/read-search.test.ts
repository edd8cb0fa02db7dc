import { checksummedIn, readNetwork, readSearch } from '../../../lib/site/explorer/question/read-search.ts'

const ADDRESS = '0x1e0049783f008a0085193e00003d00cd54003c71'
const HOLDER = `0x${'9a'.repeat(20)}`
const HASH = `0x${'c6c9abe5'.repeat(8)}`

const inCapitals = (text: string) => text.toUpperCase().replace('0X', '0x')
const asking = (parameters: Record<string, string[]>, wallet?: string) => ({
  question: { ...(wallet && { wallet }), parameters },
})
const anAddress = { address: ADDRESS }
const token = (tokenId: string) => asking({ address: [ADDRESS], tokenId: [tokenId] })
const aHolder = asking({ address: [ADDRESS] }, HOLDER)
const aTransaction = asking({ transactionHash: [HASH] })
const block = (blockNumber: string) => asking({ fromBlock: [blockNumber], toBlock: [blockNumber] })
const NOTHING_KNOWN =
  'This is not an address (0x and 40 hex digits), a transaction hash (0x and 64), a block number or a date.'

test.each<[string, ReturnType<typeof readSearch>]>([
  [ADDRESS, anAddress],
  [`  ${ADDRESS}\n`, anAddress],
  [inCapitals(ADDRESS), anAddress],
  [`https://etherscan.io/address/${ADDRESS}`, anAddress],
  [`https://basescan.org/address/${ADDRESS}#internaltx`, anAddress],
  [`https://etherscan.io/token/${ADDRESS}?page=2`, anAddress],
  [`${ADDRESS}:123`, token('123')],
  [`${ADDRESS} #123`, token('123')],
  [`${ADDRESS} 123`, token('123')],
  [`${ADDRESS}, 123`, token('123')],
  [`${ADDRESS}/0x7b`, token('0x7b')],
  [`https://etherscan.io/token/${ADDRESS}?a=123`, token('123')],
  [`https://opensea.io/item/ethereum/${ADDRESS}/123`, token('123')],
  [`https://etherscan.io/nft/${ADDRESS}/123`, token('123')],
  [`https://base.blockscout.com/token/${ADDRESS}/instance/123`, token('123')],
  [`${ADDRESS} id 123`, token('123')],
  [`${ADDRESS}, token id: 123`, token('123')],
  [`https://etherscan.io/token/${ADDRESS}?a=${HOLDER}`, aHolder],
  [`${ADDRESS} ${HOLDER}`, aHolder],
  [HASH, aTransaction],
  [`https://polygonscan.com/tx/${HASH}`, aTransaction],
  [`base:${HASH}:207`, aTransaction],
  [inCapitals(HASH), aTransaction],
  ['13594497', block('13594497')],
  ['13,594,497', block('13594497')],
  ['block 7', block('7')],
  ['#7', block('7')],
  ['https://etherscan.io/block/19730000', block('19730000')],
  ['https://arbiscan.io/block/7?tab=txs', block('7')],
  ['https://eth.blockscout.com/block/7', block('7')],
  [' 2024-04-01 ', asking({ fromTime: ['2024-04-01'], toTime: ['2024-04-01'] })],
  [' ', asking({})],
  [ADDRESS.slice(0, -1), { hint: 'An address has 40 hex digits after 0x; this has 39.' }],
  [`${ADDRESS}0`, { hint: 'An address has 40 hex digits after 0x; this has 41.' }],
  [HASH.slice(0, -2), { hint: 'A transaction hash has 64 hex digits after 0x; this has 62.' }],
  [`${ADDRESS.slice(0, -1)}g`, { hint: '“g” is not a hex digit (0 to 9 or a to f).' }],
  [ADDRESS.slice(2), { hint: 'Write 0x in front of the digits.' }],
  ['vitalik.eth', { hint: 'Names are not resolved here, so paste the address that the name stands for.' }],
  ['0x1e00…3c71', { hint: 'This address or hash is shortened. Copy the whole of it.' }],
  ['bored apes', { hint: NOTHING_KNOWN }],
])('the search for %s means %j', (text, meaning) => {
  expect(readSearch(text)).toEqual(meaning)
})

test.each([
  [`https://etherscan.io/address/${ADDRESS}`, 'ethereum'],
  [`https://www.bscscan.com/token/${ADDRESS}`, 'bnb-chain'],
  [`https://basescan.org/tx/${HASH}`, 'base'],
  [`https://eth.blockscout.com/token/${ADDRESS}/instance/4`, 'ethereum'],
  [`https://base.blockscout.com/token/${ADDRESS}/instance/4`, 'base'],
  [`https://opensea.io/item/ethereum/${ADDRESS}/4`, 'ethereum'],
  [`https://opensea.io/assets/matic/${ADDRESS}/4`, 'polygon'],
  [`https://sepolia.etherscan.io/address/${ADDRESS}`, 'unknown'],
  [`https://eth-sepolia.blockscout.com/address/${ADDRESS}`, 'unknown'],
  [`https://example.com/constructor/${ADDRESS}`, 'unknown'],
  [ADDRESS, undefined],
  [`${ADDRESS}/4`, undefined],
])('the network of %s is %s', (text, network) => {
  expect(readNetwork(text)).toBe(network)
})

test('only an address with letters of both cases has a checksum', () => {
  const mixed = `0xAb${ADDRESS.slice(4)}`

  expect(checksummedIn(`https://a.example/${mixed}?a=${ADDRESS} ${inCapitals(ADDRESS)} ${HASH}`)).toEqual([
    mixed,
  ])
})
