import { readQuestion } from '../../../lib/site/explorer/question/question.ts'
import { requestOf } from '../../../lib/site/explorer/question/request-of.ts'
import { fileNameOf } from '../../../lib/site/explorer/question/subject-of.ts'
import { clientCode, curlLine, exportLine } from '../../../lib/site/explorer/show/snippets.ts'

const BASE = 'https://events.example/'
const request = requestOf(readQuestion('wallet=0xab&event=Minted,MintedBatch'))

test('the curl command sends the request of the page', () => {
  expect(curlLine(request, BASE)).toBe(
    `curl 'https://events.example/v1/user-events/0xab?limit=50&event=Minted&event=MintedBatch'`,
  )
})

test('an apostrophe does not end the argument of curl', () => {
  expect(curlLine(requestOf(readQuestion("wallet=o'neill")), BASE)).toBe(
    String.raw`curl 'https://events.example/v1/user-events/o'\''neill?limit=50'`,
  )
})

test('the code that calls the client looks like code written by hand', () => {
  expect(clientCode(request, BASE)).toBe(
    `import { createEventsClient } from 'blockchain-events-client'

const events = createEventsClient("https://events.example/")
const { records, next } = await events.userEvents("0xab", {
  limit: 50,
  event: ["Minted","MintedBatch"],
})`,
  )
  expect(clientCode(requestOf(readQuestion('e-vent=a%0A"b')), BASE)).toContain(String.raw`"e-vent": "a\n\"b"`)
})

test('the client gets numbers and booleans as its types require, unless a number could be rounded', () => {
  const typed = 'fromBlock=5&finalized=false&blockNumber=7&blockNumber=asc'
  const code = clientCode(requestOf(readQuestion(`${typed}&tokenId=1234567890123456&skip=007`)), BASE)

  expect(code).toContain(`  fromBlock: 5,
  finalized: false,
  blockNumber: [7,"asc"],
  tokenId: "1234567890123456",
  skip: 7,
`)
})

test('the export command exports all pages', () => {
  expect(exportLine(request, { baseUrl: BASE, fileName: 'wallet-0xab' })).toBe(
    `npm run export -- 'https://events.example/v1/user-events/0xab?event=Minted&event=MintedBatch' --format csv --out wallet-0xab.csv`,
  )
})

test.each([
  ['', 'latest-events'],
  ['wallet=0xAB', 'wallet-0xab'],
  ['wallet=0xab&to=0xab&event=Minted,Burned&fromTime=2024-04-01', 'wallet-0xab-minted-burned-2024-04-01'],
  ['address=0xcd&tokenId=7', 'token-0xcd-7'],
  ['transactionHash=0xef', 'transaction-0xef'],
  ['fromBlock=12&toBlock=12', 'block-12'],
  ['creator=../../etc', 'events-..-..-etc'],
])('the file of %s is called %s', (line, name) => {
  expect(fileNameOf(readQuestion(line))).toBe(name)
})

test('a file name is short enough for every file system', () => {
  expect(fileNameOf(readQuestion(`wallet=0xab&creator=${'9'.repeat(3000)}`)).length).toBeLessThan(200)
})
