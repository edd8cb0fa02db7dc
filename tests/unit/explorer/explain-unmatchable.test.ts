import { readQuestion } from '../../../lib/site/explorer/question/question.ts'
import { requestOf } from '../../../lib/site/explorer/question/request-of.ts'
import { explainRefusals, explainUnmatchable } from '../../../lib/site/explorer/show/explain-unmatchable.ts'

const ADDRESS = `0x${'a1'.repeat(20)}`
const HASH = `0x${'1a'.repeat(32)}`
const OF_HASH = 'transactionHash='

test.each([
  [`wallet=${ADDRESS}0`, 'address', 'An address has 40 hex digits after 0x; this has 41.'],
  [`wallet=${HASH}`, 'address', 'An address has 40 hex digits after 0x; this has 64.'],
  [`from=${ADDRESS.slice(0, -1)}`, 'from', 'An address has 40 hex digits after 0x; this has 39.'],
  [`to=${ADDRESS.replace('a', 'o')}`, 'to', '“o” is not a hex digit (0 to 9 or a to f).'],
  [`creator=eip155:${ADDRESS}`, 'creator', 'An address must be 0x and 40 hex digits.'],
  [`wallet=${ADDRESS}0&from=${ADDRESS}`, 'user', 'An address has 40 hex digits after 0x; this has 41.'],
  [`address=${ADDRESS}0,${ADDRESS}00`, 'address', 'An address has 40 hex digits after 0x; this has 41.'],
  [`${OF_HASH}${HASH}00`, 'transactionHash', 'A transaction hash has 64 hex digits after 0x; this has 66.'],
  [`${OF_HASH}${'1a'.repeat(33)}`, 'transactionHash', 'A transaction hash must be 0x and 64 hex digits.'],
])('for %s, if nothing can match %s, the page says: %s', (line, name, sentence) => {
  expect(explainUnmatchable([name], requestOf(readQuestion(line)))).toEqual(new Map([[name, sentence]]))
})

test.each([
  ['wallet=0x1234', 'address', 'An address has 40 hex digits after 0x; this has 4.'],
  ['wallet=me.eth', 'address', 'Names are not resolved here, so paste the address that the name stands for.'],
  ['creator=0x12', 'creator', 'An address has 40 hex digits after 0x; this has 2.'],
  [`address=${ADDRESS},0x1`, 'address', 'An address has 40 hex digits after 0x; this has 1.'],
  ['transactionHash=0x1', 'transactionHash', 'A transaction hash has 64 hex digits after 0x; this has 1.'],
  [`from=${ADDRESS}`, 'from', 'is wrong'],
  ['limit=0', 'limit', 'is wrong'],
  ['constructor=1', 'constructor', 'is wrong'],
])('for %s, if the service refuses %s, the page says: %s', (line, parameter, sentence) => {
  const refusals = [{ parameter, message: 'is wrong' }]

  expect(explainRefusals(refusals, requestOf(readQuestion(line)))).toEqual(new Map([[parameter, sentence]]))
})

test('all mistakes in a parameter are explained', () => {
  const messages = ['"Mint" must be one of Minted', '"Burn" must be one of Minted']
  const refusals = messages.map(message => ({ parameter: 'event', message }))
  const explained = explainRefusals(refusals, requestOf(readQuestion('event=Mint,Burn')))

  expect(explained).toEqual(new Map([['event', messages.join('; ')]]))
})
