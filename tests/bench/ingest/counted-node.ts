import { type ChainNode, connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'

/** `counts` contains the method of each call, and the number of bytes of all replies. */
export function countedNode(rpcUrl: string) {
  const node = connectNode(rpcUrl)
  const counts = { methods: [] as string[], bytes: 0 }
  const request: ChainNode['request'] = async (method, ...rest) => {
    counts.methods.push(method)
    const reply = await node.request(method, ...rest)
    counts.bytes += JSON.stringify(reply).length
    return reply
  }
  return { nodes: groupNodes([{ ...node, request }]), counts }
}
