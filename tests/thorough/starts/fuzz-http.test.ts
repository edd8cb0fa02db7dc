import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { fetchPatiently } from '../../support/http/fetch-patiently.ts'
import { rawRequest, sendRaw } from '../../support/http/send-raw.ts'
import { type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { hostileQueries } from '../../support/requests/hostile-requests.ts'
import { NASTY_CASES } from '../../support/requests/nasty-cases.ts'
import { FUZZ_COUNT, SEED } from '../../support/runner/test-size.ts'

const RUNS = Math.ceil(FUZZ_COUNT / 10)
const USER = ADDRESS_POOL[2]
/** A gateway's own answers to invalid or oversized HTTP. */
const GATEWAYS_OWN = [400, 404, 414, 431]

/** The limit of API Gateway for a request line and the headers together. */
const MAX_TARGET = 10_000

/** Other characters would end the request line, or do not fit into one byte. */
const isOfRequestLine = (character: string) => character > ' ' && character <= 'ÿ' && character !== '\x7f'

const { folder, run, eventFile } = useLocalStacks()
let stack: PlacedStack

beforeAll(async () => {
  const dataDir = path.join(folder, 'data')
  stack = await run(['--events', eventFile(0, 30).name, '--data-dir', dataDir])
  await stack.untilReady()
})

const log = () => readFileSync(path.join(folder, 'data', 'api.log'), 'utf8')

interface Expected {
  among: number[]
  /** Whether one of our functions must answer. Its response has a request id. */
  isOurs?: boolean
}

async function expectAnswer(request: Buffer, { among, isOurs = false }: Expected) {
  let answer = await sendRaw(stack.url, request)
  while (answer.status === 503) answer = await sendRaw(stack.url, request)
  const { status, headers, body } = answer
  expect(among).toContain(status)
  if (headers['x-request-id'] === undefined && !isOurs) {
    expect(GATEWAYS_OWN).toContain(status)
    return
  }
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  if (status === 200) {
    expect(headers['content-type']).toMatch(/^(application\/(json|x-ndjson)|text\/csv; charset=utf-8)$/)
    return
  }
  expect(headers['content-type']).toBe('application/json')
  expect(body).not.toContain('<')
  expect(JSON.parse(body)).toMatchObject({ status, instance: headers['x-request-id'] })
}

test.each(NASTY_CASES.map(nasty => ({ ...nasty, target: `${nasty.path}?${nasty.rawQuery ?? ''}` })))(
  'over HTTP a nasty request is answered with $status: $because',
  async ({ method, target, headers, status }) => {
    await expectAnswer(rawRequest({ method, target, headers }), { among: [status], isOurs: true })
  },
)

test.each([
  ['a header that is no header', `GET /v1/token-events HTTP/1.1\r\nhost: a\r\nno header\r\n\r\n`],
  ['no HTTP at all', `\u0016\u0003\u0001\u0002\r\n\r\n`],
  ['a version that does not exist', `GET /v1/token-events HTTP/9.9\r\nhost: a\r\nconnection: close\r\n\r\n`],
  [
    'two lengths of a body (request smuggling)',
    `GET /v1/token-events HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc`,
  ],
  [
    'a header of 100 KB',
    `GET /v1/token-events HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}\r\nconnection: close\r\n\r\n`,
  ],
  ['a target of 100 KB', `GET /v1/token-events?${'x'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
  [
    'bytes beyond ASCII in the target',
    `GET /v1/token-events?event=\u00e9\u00ff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  ],
])('over HTTP %s is refused', async (_, request) => {
  const { status } = await sendRaw(stack.url, Buffer.from(request, 'latin1'))

  expect([0, ...GATEWAYS_OWN, 405, 505]).toContain(status)
})

test(`over HTTP any bytes in path and query are answered with 200 or 400 (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(hostileQueries, async ({ options: { path: asked, rawQuery } }) => {
      const target = [...`${asked}?${rawQuery}`].filter(isOfRequestLine).join('').slice(0, MAX_TARGET)
      await expectAnswer(rawRequest({ target }), { among: [200, ...GATEWAYS_OWN] })
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

test('afterwards the service answers as before, and its log holds nothing of headers, values or bodies', async () => {
  const secret = 'never-to-be-seen'
  const headers = { authorization: `Bearer ${secret}`, cookie: `session=${secret}`, 'x-api-key': secret }
  const answer = await fetchPatiently(`${stack.url}/v1/token-events?limit=1`, { headers })
  const refused = await fetch(`${stack.url}/v1/user-events/${USER}?network=${secret}&${secret}=1`, {
    headers,
  })

  expect([answer.status, refused.status]).toEqual([200, 400])
  expect(log()).toContain(String(refused.headers.get('x-request-id')))
  expect(log()).not.toContain(secret)
  expect(log()).not.toContain('"level":"ERROR"')
  expect(log()).not.toContain('node_modules')
  expect(stack.errors()).toBe('')
})
