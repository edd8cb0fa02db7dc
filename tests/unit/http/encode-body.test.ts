import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encodeBody } from '../../../lib/http/encode-body.ts'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

describe.each(['br', 'gzip'] as const)('in %s', coding => {
  const body = JSON.stringify(Array.from({ length: 100 }, (_, number) => ({ number, text: 'é' })))

  test('a body can be read again, and is returned as base64', () => {
    const encoded = encodeBody(body, coding)
    const bytes = Buffer.from(encoded.body, 'base64')

    expect(encoded).toMatchObject({ coding, isBase64Encoded: true, byteLength: bytes.length })
    expect(DECODERS[coding](bytes).toString('utf8')).toBe(body)
  })

  test('a body that would be longer is left as it is', () => {
    const noise = randomBytes(3_000)
      .toString('latin1')
      .replace(/[^\x20-\x7e]/g, 'x')

    expect(encodeBody('1', coding)).toEqual({
      body: '1',
      isBase64Encoded: false,
      byteLength: 1,
      coding: 'identity',
    })
    expect(encodeBody(noise, coding).body.length).toBeLessThanOrEqual(noise.length)
  })
})

test('the length of a body that is left as it is counts bytes', () => {
  expect(encodeBody('é', 'identity').byteLength).toBe(2)
})
