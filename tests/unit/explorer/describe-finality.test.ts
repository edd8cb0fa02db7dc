import { readQuestion } from '../../../lib/site/explorer/question/question.ts'
import { describeFinality } from '../../../lib/site/explorer/show/describe-finality.ts'

const BASE = 'base=34158834@2025-08-13T09:20:15Z'

test.each([
  ['?finalized=true', undefined, 'any network'],
  ['?finalized=true&network=polygon', BASE, 'Polygon'],
  ['?finalized=true&network=polygon,bnb-chain', BASE, 'Polygon or BNB Chain'],
  ['?finalized=true&network=solana', BASE, 'solana'],
  ['', undefined, undefined],
  ['?finalized=false', undefined, undefined],
  ['?finalized=true', BASE, undefined],
  ['?finalized=true&network=base,polygon', BASE, undefined],
])('for %s, if %s is final, the page says that no final block is known of %s', (query, final, networks) => {
  const told = describeFinality(readQuestion(query), { finalizedThrough: final })
  const sentence = `the service knows no final block of ${networks}. Only an indexer reports final blocks`

  expect(told).toEqual(networks && expect.stringContaining(sentence))
})
