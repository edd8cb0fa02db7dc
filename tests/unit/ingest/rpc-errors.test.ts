import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { isOutage, isWrongAddress, mayBeTooMuch } from '../../../lib/chain/nodes/rpc-errors.ts'
import { listen } from '../../support/http/listen.ts'

const { signal } = new AbortController()
const ask = (url: string) => {
  const group = groupNodes([connectNode(url, { retryCount: 0 })], { maxRounds: 1 })
  return group.ask((node, limited) => node.request('eth_chainId', [], limited), signal)
}

/** Asks a node that answers in this way, and returns the error. */
async function errorOf(answer: Parameters<typeof listen>[0]): Promise<Error> {
  const { baseUrl, stop } = await listen(answer)
  const error = await ask(baseUrl).catch(caught => caught as Error)
  await stop()
  return error as Error
}

const answering =
  (status: number, body: string): Parameters<typeof listen>[0] =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)

test('says why no connection to a node came about, but not the key in its address', async () => {
  const host = `127.0.0.1:${await freePort()}`

  await expect(ask(`http://${host}/KEY`)).rejects.toMatchObject({
    message: `No node gives a valid answer: ${host} (fetch failed: ECONNREFUSED)`,
  })
})

test('says why a connection to a node did not last', async () => {
  const { message } = await errorOf(({ socket }) => socket.resetAndDestroy())

  expect(message).toContain('(fetch failed: ECONNRESET)')
})

test.each([
  [401, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No access"}}', 'No access'],
  [401, '{"error":"Unauthorized key"}', 'Unauthorized key'],
  [403, '<html><body>Forbidden</body></html>', 'Forbidden'],
  [429, '{"code":429,"message":"Too many requests"}', 'Too many requests'],
  [429, '{"jsonrpc":"2.0","error":{"code":-32005,"message":"daily limit reached"}}', 'daily limit reached'],
  [503, 'busy for a while', 'busy for a while'],
])('says that a node answers HTTP %i, whatever else it answers', async (status, body, told) => {
  expect((await errorOf(answering(status, body))).message).toContain(`(HTTP ${status}: ${told})`)
})

test.each([
  [-32600, 'batch too large', { isOutage: false, mayBeTooMuch: true }],
  [-32005, 'rate limit exceeded', { isOutage: true, mayBeTooMuch: false }],
])(
  'says why a node answers a batch with the single error %i, and does not call its address wrong',
  async (code, message, meaning) => {
    const refusal = { jsonrpc: '2.0', id: null, error: { code, message } }
    const error = await errorOf(answering(200, JSON.stringify(refusal)))

    expect(error.message).toContain(`(${message})`)
    expect(isWrongAddress(error.cause)).toBe(false)
    expect({ isOutage: isOutage(error.cause), mayBeTooMuch: mayBeTooMuch(error.cause) }).toEqual(meaning)
  },
)
