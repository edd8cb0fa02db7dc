import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'

export function countCalls(node: ChainNode) {
  let calls = 0
  let bytes = 0
  return {
    name: node.name,
    async request(...parameters: Parameters<ChainNode['request']>): Promise<unknown> {
      calls += 1
      const reply = await node.request(...parameters)
      bytes += JSON.stringify(reply).length
      return reply
    },
    perBlock: (blocks: number) => ({ calls: calls / blocks, kilobytes: bytes / blocks / 1024 }),
  }
}
