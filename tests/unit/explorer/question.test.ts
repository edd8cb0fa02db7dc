import fc from 'fast-check'
import { PARAMETERS } from '../../../lib/query/parameters.ts'
import {
  filtersOf,
  readQuestion,
  tokenIdOf,
  withoutFilters,
  withParameters,
  writeQuestion,
} from '../../../lib/site/explorer/question/question.ts'
import { requestOf, requestPath } from '../../../lib/site/explorer/question/request-of.ts'
import { searchFor } from '../../../lib/site/explorer/question/subject-of.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const TOKEN = `0x${'70'.repeat(20)}`

/** Every object inherits properties with the last two names. */
const NAMES = [
  ...['wallet', 'address', 'event', 'network', 'fromTime', 'blockNumber', 'creator', 'contract', 'e t=&c'],
  ...['constructor', '__proto__'],
]

test('a question that is written and read again is the same', () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.string()), { maxLength: 6 })
  fc.assert(
    fc.property(pairs, given => {
      const question = readQuestion(`?${new URLSearchParams(given)}`)

      expect(readQuestion(writeQuestion(question))).toEqual(question)
    }),
  )
})

test.each([
  [`?wallet=${WALLET}&address=${TOKEN}&event=Minted`, `?wallet=${WALLET}`],
  [`?address=${TOKEN}&tokenId=1&network=base`, `?address=${TOKEN}&tokenId=1`],
  ['?transactionHash=0x1&network=base', '?transactionHash=0x1'],
  ['?event=Minted', ''],
  ['?fromBlock=7&toBlock=7&event=Minted', '?fromBlock=7&toBlock=7'],
  ['?fromBlock=7&toBlock=8', ''],
  [`?address=${TOKEN}&fromBlock=7&toBlock=7`, `?address=${TOKEN}`],
])('%s without filters is %s', (query, whole) => {
  expect(writeQuestion(withoutFilters(readQuestion(query)))).toBe(whole)
})

test.each([
  [`wallet=${WALLET}&createdAt=asc`, []],
  [`wallet=${WALLET}&blockNumber=asc`, []],
  [`wallet=${WALLET}&blockNumber=asc&blockNumber=7`, ['blockNumber']],
  [`wallet=${WALLET}&event=Minted&network=base`, ['event', 'network']],
  [`address=${TOKEN}&tokenId=1&network=base`, ['network']],
  ['transactionHash=0x1&network=base', ['network']],
  ['fromBlock=7&toBlock=7', []],
  ['fromBlock=7&toBlock=8&constructor=1', ['fromBlock', 'toBlock', 'constructor']],
])('the filters of %s are %j', (line, names) => {
  expect(filtersOf(readQuestion(line))).toEqual(names)
})

test.each([
  ['tokenId=12', '12'],
  ['tokenId=0x0c', '12'],
  ['tokenId=012', '12'],
  ['tokenId=twelve', undefined],
  ['', undefined],
])('the token id of "%s" is %s', (line, tokenId) => {
  expect(tokenIdOf(readQuestion(line))).toBe(tokenId)
})

test('the address line has lists and colons without escapes', () => {
  const question = readQuestion('event=Minted&event=MintedBatch&fromTime=2024-04-01T12%3A00%3A00Z')

  expect(writeQuestion(question)).toBe('?event=Minted,MintedBatch&fromTime=2024-04-01T12:00:00Z')
  expect(writeQuestion(withParameters(question, { event: [], fromTime: [] }))).toBe('')
})

test.each([
  [`wallet=${WALLET}`, `v1/user-events/${WALLET}?limit=50`],
  [`wallet=${WALLET}&event=Minted,x`, `v1/user-events/${WALLET}?limit=50&event=Minted&event=x`],
  ['', 'v1/token-events?limit=50'],
  [`address=${TOKEN}&tokenId=5`, `v1/token-events?limit=50&address=${TOKEN}&tokenId=5`],
  ['limit=5&createdAt=asc', 'v1/token-events?limit=5&createdAt=asc'],
  ['blockNumber=5&blockNumber=desc', 'v1/token-events?limit=50&blockNumber=5&blockNumber=desc'],
  // The page ignores the first three parameters, because it sets them itself.
  ['cursor=abc&count=false&format=csv&event=Minted', 'v1/token-events?limit=50&event=Minted'],
  // User-events has no filter by sender, so the wallet becomes a filter of token-events.
  [`wallet=${WALLET}&from=${WALLET}`, `v1/token-events?limit=50&from=${WALLET}&user=${WALLET}`],
  // The page sends wrong parameters, so that the service can refuse them.
  ['contract=0x1', 'v1/token-events?limit=50&contract=0x1'],
  ['wallet=a&wallet=b', 'v1/token-events?limit=50&wallet=a&wallet=b'],
  [`wallet=${WALLET}&from=b&user=c`, `v1/token-events?limit=50&from=b&user=${WALLET}&user=c`],
  ['event=Minted,', 'v1/token-events?limit=50&event=Minted&event='],
])('%s requests %s', (line, path) => {
  expect(requestPath(requestOf(readQuestion(line)))).toBe(path)
})

test.each(Object.keys(PARAMETERS['token-events']).filter(name => name !== 'user'))(
  'a wallet with %s uses the endpoint that has this parameter',
  name => {
    const isOfUser = name in PARAMETERS['user-events']

    const { endpoint } = requestOf({ wallet: WALLET, parameters: { [name]: ['1'] } })
    expect(endpoint).toBe(isOfUser ? 'user-events' : 'token-events')
  },
)

/** The page sets these parameters itself, because it always counts, has its own cursor, and reads JSON. */
const OWN_OF_PAGE = ['count', 'cursor', 'format']

test.each(Object.entries(PARAMETERS['token-events']).filter(([name]) => !OWN_OF_PAGE.includes(name)))(
  'a list of values of %s is split only if the service accepts several values',
  (name, { maxValues }) => {
    const values = maxValues === undefined ? ['a,b'] : ['a', 'b']

    expect(readQuestion(`${name}=a,b`).parameters).toEqual({ [name]: values })
  },
)

test.each([
  [`wallet=${WALLET}`, WALLET],
  [`address=${TOKEN}&tokenId=12`, `${TOKEN}:12`],
  [`address=${TOKEN}`, TOKEN],
  [`transactionHash=0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ['fromBlock=7&toBlock=7', '7'],
  ['fromBlock=7&toBlock=8', ''],
  ['event=Minted', ''],
])('%s is shown in the search field as "%s"', (line, search) => {
  expect(searchFor(readQuestion(line))).toBe(search)
})
