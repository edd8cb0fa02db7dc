import fc from 'fast-check'
import { chooseFormat } from '../../../../lib/http/formats/formats.ts'
import { NotAcceptableError } from '../../../../lib/http/problems.ts'
import { SEED } from '../../../support/runner/test-size.ts'

const [JSON_TYPE, NDJSON, CSV] = ['application/json', 'application/x-ndjson', 'text/csv; charset=utf-8']

test.each([
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/json;charset=utf-8', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
  ['application/x-ndjson', NDJSON],
  ['application/x-ndjson, */*;q=0.1', NDJSON],
  ['application/json;q=0.5, application/x-ndjson', NDJSON],
  ['application/json;q=0, application/*', NDJSON],
  ['text/csv', CSV],
  ['text/*', CSV],
  ['TEXT/CSV; charset=UTF-8', CSV],
  ['text/csv;q=0.2, application/json;q=0.1', CSV],
  ['text/csv;q=0.1, application/json;q=0.2', JSON_TYPE],
  ['text/html, text/csv;q=0.001', CSV],
  ['*/*;q=0.1, text/csv;q=0.2', CSV],
  ['text/csv; header=present', CSV],
  ['application/json; profile="a;b,c"; q=0.1, text/csv;header=present;q=0.2', CSV],
  ['application/json;charset=utf8', JSON_TYPE],
  ['text/csv; q=0; header=present, application/x-ndjson', NDJSON],
  ['*', JSON_TYPE],
  [' , ', JSON_TYPE],
])('with Accept: %s, the format is %s', (accept, contentType) => {
  expect(chooseFormat(accept).contentType).toBe(contentType)
})

test.each(['image/png', 'application/json', '*/*;q=0'])('a named format ignores Accept: %s', accept => {
  expect(chooseFormat(accept, 'csv').contentType).toBe(CSV)
})

test.each('text/html text/plain image/* application/problem+json text/csv;q=0 */*;q=0 csv'.split(' '))(
  'no format matches Accept: %s',
  accept => {
    expect(() => chooseFormat(accept)).toThrow(NotAcceptableError)
  },
)

test('every Accept header leads to a format or a refusal', () => {
  const parts = fc.constantFrom(' ', ...'text/csv */* ;q= 0.5 , ; " = \\ q 1e9 -1 /'.split(' '))
  const hostile = fc.array(parts).map(drawn => drawn.join(''))
  const accepts = fc.oneof(fc.string(), hostile)
  fc.assert(
    fc.property(accepts, accept => {
      try {
        expect([JSON_TYPE, NDJSON, CSV]).toContain(chooseFormat(accept).contentType)
      } catch (error) {
        expect(error).toBeInstanceOf(NotAcceptableError)
      }
    }),
    { seed: SEED, numRuns: 500 },
  )
})
