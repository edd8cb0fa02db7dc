import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { listen } from '../../support/http/listen.ts'

const ask = (url: string) =>
  groupNodes([connectNode(url, { retryCount: 0 })], { maxRounds: 1 }).ask(
    (node, signal) => node.request('eth_chainId', [], signal),
    new AbortController().signal,
  )

test('says why no connection to a node came about, but not the key in its address', async () => {
  const host = `127.0.0.1:${await freePort()}`

  await expect(ask(`http://${host}/KEY`)).rejects.toMatchObject({
    message: `No node gives a valid answer: ${host} (fetch failed: ECONNREFUSED)`,
  })
})

test.each([
  [
    401,
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Must be authenticated!"}}',
    'Must be authenticated!',
  ],
  [401, '{"error":"Unauthorized key"}', 'Unauthorized key'],
  [403, '<html><body>Forbidden</body></html>', 'Forbidden'],
  [429, '{"code":429,"message":"Too many requests"}', 'Too many requests'],
  [429, '{"jsonrpc":"2.0","error":{"code":-32005,"message":"daily limit reached"}}', 'daily limit reached'],
  [503, 'busy for a while', 'busy for a while'],
])('says that a node answers HTTP %i, whatever else it answers', async (status, body, message) => {
  const { baseUrl, stop } = await listen((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })

  await expect(ask(baseUrl)).rejects.toThrow(`(HTTP ${status}: ${message})`)
  await stop()
})

test('says why a connection to a node did not last', async () => {
  const { baseUrl, stop } = await listen(({ socket }) => socket.resetAndDestroy())

  await expect(ask(baseUrl)).rejects.toThrow('(fetch failed: ECONNRESET)')
  await stop()
})
