import { readFileSync } from 'node:fs'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { checkContract } from '../../support/oracle/check-contract.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const record = makeEvent('OwnershipTransferred')
const headers = {
  ...{ 'content-type': 'application/json', 'x-request-id': 'r', 'access-control-allow-origin': '*' },
  ...{ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store', etag: '"abc-br"' },
  'server-timing': 'total;dur=1',
}
const text = JSON.stringify([record])
const answer = { method: 'GET', path: '/prod/v1/token-events', status: 200, headers, text }

test('an answer that keeps the contract passes', () => {
  expect(() => checkContract(answer)).not.toThrow()
})

test.each([
  ['a status that is not documented', { status: 418 }, /418/],
  ['a header that is not documented', { headers: { ...headers, 'x-surprise': '1' } }, /x-surprise/],
  ['a promised header that is missing', { headers: { ...headers, etag: '' } }, /etag/],
  ['a header of another form', { headers: { ...headers, link: 'next' } }, /link/],
  ['another media type', { headers: { ...headers, 'content-type': 'text/html' } }, /text\/html/],
  ['an envelope', { text: '{"events":[]}' }, /must be array/],
  ['a field too many', { text: JSON.stringify([{ ...record, more: 1 }]) }, /additional/],
  ['a field too few', { text: JSON.stringify([{ ...record, newOwner: undefined }]) }, /newOwner/],
  ['a field of another variant', { text: JSON.stringify([{ ...record, event: 'Minted' }]) }, /creator/],
  ['a number instead of a text', { text: JSON.stringify([{ ...record, createdAt: 5 }]) }, /createdAt/],
  ['a body where none was promised', { method: 'HEAD' }, /no body/],
])('%s is found', (_, change, message) => {
  const changed = { ...answer, ...change }
  const given = Object.fromEntries(Object.entries(changed.headers).filter(([, value]) => value !== ''))
  expect(() => checkContract({ ...changed, headers: given })).toThrow(message)
})

test('the examples in the document are real records, one of each variant and more', () => {
  const file = new URL('../../../lib/site/docs/openapi.json', import.meta.url)
  const { components } = JSON.parse(readFileSync(file, 'utf8'))
  const examples = ['Minted', 'MintedBatch', 'Transfer', 'OwnershipTransferred'].flatMap(
    name => components.schemas[name].examples,
  )

  expect(examples.map(({ event }) => event).toSorted()).toEqual(EVENT_KINDS.toSorted())
  expect(() => checkContract({ ...answer, text: JSON.stringify(examples) })).not.toThrow()
})
