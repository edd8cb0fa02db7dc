import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'
import { checkChain, checkNodes } from '../../../lib/chain/nodes/check-chain.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { nodesOfChain } from '../../../lib/chain/nodes/nodes-of-chain.ts'
import { mayBeTooMuch, WrongChainError } from '../../../lib/chain/nodes/rpc-errors.ts'
import type { Network } from '../../../lib/events/networks.ts'

/** A test network of ethereum that the service will never support. */
const SEPOLIA = '0xaa36a7'
const { signal } = new AbortController()
const NOT_POLYGON = 'not polygon (chain id 137).'

const nodeOf = (reply: unknown): ChainNode => ({ name: 'rpc.example', request: async () => reply })
const silent: ChainNode = {
  name: 'silent.example',
  request: (_method, _params, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
}
const broken: ChainNode = {
  name: 'broken.example',
  request: () => Promise.reject(new Error('fetch failed')),
}

test.each<[string, Network, unknown, number | undefined]>([
  ['of the network', 'polygon', '0x89', undefined],
  ['of anvil or Hardhat', 'polygon', '0x7a69', undefined],
  ['of Ganache or geth --dev', 'base', '0x539', undefined],
  ['that is named', 'polygon', '0x3039', 12_345],
  ['of the network, named', 'polygon', '0x89', 137],
])('takes the chain id %s', async (_, network, reply, chainId) => {
  await expect(checkChain(nodeOf(reply), { network, chainId }, signal)).resolves.toBe(Number(reply))
})

test.each<[string, number | undefined, string]>([
  ['0x2105', 8453, `base (chain id 8453), ${NOT_POLYGON} Use a node of polygon, or set the network to base`],
  [SEPOLIA, undefined, `the chain with id 11155111, ${NOT_POLYGON} Use a node of polygon; for a`],
  ['0xa869', undefined, `the chain with id 43113, ${NOT_POLYGON} Use a node of polygon;`],
  ['0x7a69', 12_345, 'the chain with id 31337, not polygon (chain id 12345).'],
])('refuses the chain id %s where %p is named: %s', async (reply, chainId, sentence) => {
  await expect(checkChain(nodeOf(reply), { network: 'polygon', chainId }, signal)).rejects.toMatchObject({
    name: 'WrongChainError',
    code: 'wrong-chain',
    message: expect.stringContaining(`The node rpc.example serves ${sentence}`),
  })
})

test.each([[null], [undefined], [''], ['0x'], ['0x0'], ['polygon'], [{}], [[137]]])(
  'a chain id of %j is a bad reply, so another node is tried',
  async reply => {
    const checked = checkChain(nodeOf(reply), { network: 'polygon' }, signal)
    await expect(checked).rejects.toMatchObject({ code: 'bad-reply' })
  },
)

test.each<[string, ChainNode[]]>([
  ['the first', [nodeOf(SEPOLIA), nodeOf('0x89')]],
  ['the last', [nodeOf('0x89'), nodeOf(SEPOLIA)]],
  ['one beside a node that says nothing', [silent, nodeOf(SEPOLIA)]],
  ['one beside a node that is down', [broken, nodeOf(SEPOLIA)]],
])('all nodes are checked: %s is of another chain', async (_, nodes) => {
  await expect(checkNodes(nodes, { network: 'polygon' }, signal)).rejects.toThrow(WrongChainError)
})

test.each<[string, string[], number, number]>([
  ['a development node before a node of the network', ['0x7a69', '0x89'], 31_337, 137],
  ['a development node behind a node of the network', ['0x89', '0x539'], 1337, 137],
  ['two development nodes of different chains', ['0x7a69', '0x539'], 1337, 31_337],
])('all nodes must be of one chain: %s', async (_, replies, actual, expected) => {
  await expect(checkNodes(replies.map(nodeOf), { network: 'polygon' }, signal)).rejects.toThrow(
    `the chain with id ${actual}, not polygon (chain id ${expected})`,
  )
})

test('a node that takes over must be of the same chain, because proofs depend on the chain id', async () => {
  let isDown = false
  const request = () => (isDown ? broken : nodeOf('0x89')).request('', [], signal)
  const first = { name: 'one.example', request }
  const second = { ...nodeOf('0x7a69'), name: 'two.example' }
  const chain = nodesOfChain({ network: 'polygon', nodes: groupNodes([first, second]) })
  const ask = () => chain.ask(node => node.request('eth_blockNumber', [], signal), signal)
  await ask()
  isDown = true

  await expect(ask()).rejects.toThrow('The node two.example serves the chain with id 31337, not polygon')
})

test('nodes without a valid answer are not checked yet', async () => {
  await expect(checkNodes([broken, nodeOf(null)], { network: 'polygon' }, signal)).resolves.toBeUndefined()
})

test('a group of nodes ends at the first node of another chain, without another attempt', async () => {
  let tries = 0
  const group = groupNodes([nodeOf(SEPOLIA), nodeOf('0x89')])
  const running = group.ask((node, limited) => {
    tries += 1
    return checkChain(node, { network: 'polygon' }, limited)
  }, signal)

  const error = await running.catch(error => error)
  expect(error).toBeInstanceOf(WrongChainError)
  expect([mayBeTooMuch(error), tries]).toEqual([false, 1])
})
