import { checksummedIn, readNetwork, readSearch } from '../../../lib/site/explorer/question/read-search.ts'

const ADDRESS = '0x1e0049783f008a0085193e00003d00cd54003c71'
const HOLDER = `0x${'9a'.repeat(20)}`
const HASH = `0x${'c6c9abe5'.repeat(8)}`

test.each([
  [ADDRESS],
  [`  ${ADDRESS}\n`],
  [ADDRESS.toUpperCase().replace('0X', '0x')],
  [`https://etherscan.io/address/${ADDRESS}`],
  [`https://basescan.org/address/${ADDRESS}#internaltx`],
  [`https://etherscan.io/token/${ADDRESS}?page=2`],
])('%s is an address', text => {
  expect(readSearch(text)).toEqual({ address: ADDRESS })
})

test.each([
  [`${ADDRESS}:123`, '123'],
  [`${ADDRESS} #123`, '123'],
  [`${ADDRESS} 123`, '123'],
  [`${ADDRESS}, 123`, '123'],
  [`${ADDRESS}/0x7b`, '0x7b'],
  [`https://etherscan.io/token/${ADDRESS}?a=123`, '123'],
  [`https://opensea.io/item/ethereum/${ADDRESS}/123`, '123'],
  [`https://etherscan.io/nft/${ADDRESS}/123`, '123'],
  [`https://base.blockscout.com/token/${ADDRESS}/instance/123`, '123'],
  [`${ADDRESS} id 123`, '123'],
  [`${ADDRESS}, token id: 123`, '123'],
])('%s is a token', (text, tokenId) => {
  expect(readSearch(text)).toEqual({ question: { parameters: { address: [ADDRESS], tokenId: [tokenId] } } })
})

test.each([[`https://etherscan.io/token/${ADDRESS}?a=${HOLDER}`], [`${ADDRESS} ${HOLDER}`]])(
  '%s is a holder of a token',
  text => {
    expect(readSearch(text)).toEqual({ question: { wallet: HOLDER, parameters: { address: [ADDRESS] } } })
  },
)

test.each([
  [HASH],
  [`https://polygonscan.com/tx/${HASH}`],
  [`base:${HASH}:207`],
  [HASH.toUpperCase().replace('0X', '0x')],
])('%s is a transaction', text => {
  expect(readSearch(text)).toEqual({ question: { parameters: { transactionHash: [HASH] } } })
})

test.each([
  ['13594497', '13594497'],
  ['13,594,497', '13594497'],
  ['block 7', '7'],
  ['#7', '7'],
  ['https://etherscan.io/block/19730000', '19730000'],
  ['https://arbiscan.io/block/7?tab=txs', '7'],
  ['https://eth.blockscout.com/block/7', '7'],
])('%s is a block', (text, blockNumber) => {
  expect(readSearch(text)).toEqual({
    question: { parameters: { fromBlock: [blockNumber], toBlock: [blockNumber] } },
  })
})

test('a date means the whole day', () => {
  expect(readSearch(' 2024-04-01 ')).toEqual({
    question: { parameters: { fromTime: ['2024-04-01'], toTime: ['2024-04-01'] } },
  })
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
  const capital = ADDRESS.toUpperCase().replace('0X', '0x')

  expect(checksummedIn(`https://a.example/${mixed}?a=${ADDRESS} ${capital} ${HASH}`)).toEqual([mixed])
})

test('an empty search leads to all events', () => {
  expect(readSearch(' ')).toEqual({ question: { parameters: {} } })
})

test.each([
  [ADDRESS.slice(0, -1), 'An address has 40 hex digits after 0x; this has 39.'],
  [`${ADDRESS}0`, 'An address has 40 hex digits after 0x; this has 41.'],
  [HASH.slice(0, -2), 'A transaction hash has 64 hex digits after 0x; this has 62.'],
  [`${ADDRESS.slice(0, -1)}g`, '“g” is not a hex digit (0 to 9 or a to f).'],
  [ADDRESS.slice(2), 'Write 0x in front of the digits.'],
  ['vitalik.eth', 'Names are not resolved here, so paste the address that the name stands for.'],
  ['0x1e00…3c71', 'This address is shortened. Copy the whole address.'],
  [
    'bored apes',
    'This is not an address (0x and 40 hex digits), a transaction hash (0x and 64), a block number or a date.',
  ],
])('for %s, the page says what is wrong', (text, hint) => {
  expect(readSearch(text)).toEqual({ hint })
})
