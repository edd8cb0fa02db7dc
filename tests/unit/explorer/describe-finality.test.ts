import { readQuestion } from '../../../lib/site/explorer/question/question.ts'
import { describeFinality } from '../../../lib/site/explorer/show/describe-finality.ts'

const BASE = 'base=34158834@2025-08-13T09:20:15Z'

test.each([
  ['?finalized=true', undefined, 'any network'],
  ['?finalized=true&network=polygon', BASE, 'Polygon'],
  ['?finalized=true&network=polygon,bnb-chain', BASE, 'Polygon or BNB Chain'],
  ['?finalized=true&network=solana', BASE, 'solana'],
])('for %s, if %s is final, the page says that no final block of %s is known', (query, final, networks) => {
  expect(describeFinality(readQuestion(query), { finalizedThrough: final })).toContain(
    `the service knows no final block of ${networks}. Only an indexer reports final blocks`,
  )
})

test.each([
  ['', undefined],
  ['?finalized=false', undefined],
  ['?finalized=true', BASE],
  ['?finalized=true&network=base,polygon', BASE],
])('for %s, if %s is final, the page does not mention final blocks', (query, final) => {
  expect(describeFinality(readQuestion(query), { finalizedThrough: final })).toBeUndefined()
})
