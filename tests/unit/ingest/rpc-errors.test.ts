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
    message: `No node answers as it should: ${host} (fetch failed: ECONNREFUSED)`,
  })
})

test('says why a connection to a node did not last', async () => {
  const { baseUrl, stop } = await listen(({ socket }) => socket.resetAndDestroy())

  await expect(ask(baseUrl)).rejects.toThrow('(fetch failed: ECONNRESET)')
  await stop()
})
