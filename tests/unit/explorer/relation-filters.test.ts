import { readQuestion, writeQuestion } from '../../../lib/site/explorer/question/question.ts'
import {
  hasRelation,
  relationFilters,
  withRelation,
} from '../../../lib/site/explorer/question/relation-filters.ts'

const ZERO = `0x${'0'.repeat(40)}`

test('a wallet has a filter for each relation that the service can ask for', () => {
  const question = readQuestion('wallet=0xab&event=TransferSingle&to=0xcd')
  const lines = relationFilters(question).map(each => [
    each.name,
    writeQuestion(withRelation(question, each)),
  ])

  const expected = {
    Received: '?wallet=0xab&event=TransferSingle&to=0xab',
    Sent: '?wallet=0xab&event=TransferSingle&from=0xab',
    Minted: `?wallet=0xab&event=TransferSingle&to=0xab&from=${ZERO}`,
    Burned: `?wallet=0xab&event=TransferSingle&to=${ZERO}&from=0xab`,
    Operated: '?wallet=0xab&event=TransferSingle&operator=0xab',
  }
  expect(lines).toEqual(Object.entries(expected))
})

test.each<[string, name?: string | undefined]>([
  ['wallet=0xab', undefined],
  ['wallet=0xAB&to=0xab', 'Received'],
  [`wallet=0xab&from=${ZERO}&to=0xab`, 'Minted'],
  ['wallet=0xab&operator=0xab', 'Operated'],
  [`from=${ZERO}`, 'Minted'],
  [`to=${ZERO}&event=TransferBatch`, 'Burned'],
  ['wallet=0xab&from=0xcd'],
])('for %s, the chosen relation is %s, and no other', (line, ...name) => {
  const question = readQuestion(line)
  const chosen = [undefined, ...relationFilters(question)].filter(filter => hasRelation(question, filter))

  expect(chosen.map(filter => filter?.name)).toEqual(name)
})

test('a transaction has no relations to choose from', () => {
  expect(relationFilters(readQuestion('transactionHash=0x1'))).toEqual([])
})
