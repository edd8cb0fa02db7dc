import { checkBalances } from '../../../lib/callers/copies/follow/check-balances.ts'
import type { EventCopy } from '../../../lib/callers/copies/open-copy.ts'
import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'

const BALANCE = { address: `0x${'1'.repeat(40)}`, token_id: '1', owner: `0x${'2'.repeat(40)}`, quantity: '1' }

test('the check of a copy does not wait forever for a node that does not answer', async () => {
  const node: ChainNode = {
    name: 'hanging.example',
    request: (method, _, signal) =>
      method === 'eth_chainId'
        ? Promise.resolve('0x2105')
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  }
  const copy = {
    read: async (sql: string) => {
      if (sql.includes('DISTINCT network')) return [{ network: 'base' }]
      return sql.includes('max(block_number)') ? [{ block: '5' }] : [BALANCE]
    },
  } as unknown as EventCopy
  const { signal } = new AbortController()
  const options = { node, indexedThrough: '', owner: undefined, signal, timeoutMs: 1 }

  expect(await checkBalances(copy, options)).toEqual({
    network: 'base',
    blockNumber: 5,
    equal: 0,
    different: [],
    untold: 2,
  })
})
