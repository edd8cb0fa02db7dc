import { randomBytes } from 'node:crypto'
import { chooseCoding, encodeBody } from '../../../lib/http/content-coding.ts'

const ONE_PACKET = 1_300
/** A body of this many bytes is too long for Lambda unless it is compressed. */
const TOO_LONG = 6_000_001

test.each<[string | undefined, string, bytes?: number]>([
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
  ['identity, gzip;q=0.5', 'gzip', TOO_LONG],
  ['identity', 'identity', TOO_LONG],
  ['br', 'identity', ONE_PACKET],
])('with Accept-Encoding: %s, the coding is %s', (acceptEncoding, coding, bytes = 5_000) => {
  expect(chooseCoding('x'.repeat(bytes), acceptEncoding)).toBe(coding)
})

test.each(['br', 'gzip'] as const)('a body that would become longer in %s is not compressed', coding => {
  const noise = randomBytes(3_000).toString('base64')
  const plain = { body: '1', isBase64Encoded: false, byteLength: 1, coding: 'identity' }

  expect(encodeBody('1', coding)).toEqual(plain)
  expect(encodeBody(noise, coding).body.length).toBeLessThanOrEqual(noise.length)
})

test('the length of a body without compression is counted in bytes', () => {
  expect(encodeBody('é', 'identity').byteLength).toBe(2)
})
