import { chooseCoding } from '../../../lib/http/choose-coding.ts'

const PAGE = 'x'.repeat(5_000)

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['deflate', 'identity'],
  ['gzip;q=nonsense', 'identity'],
  [';;;,,,=', 'identity'],
])('to Accept-Encoding %s the answer is in %s', (acceptEncoding, coding) => {
  expect(chooseCoding(PAGE, acceptEncoding)).toBe(coding)
})

test('what fits into one packet is left as it is', () => {
  expect(chooseCoding('x'.repeat(1_300), 'br')).toBe('identity')
})
