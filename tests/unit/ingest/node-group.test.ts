import type { ChainNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'

const { signal } = new AbortController()
const nodes: ChainNode[] = ['one', 'two'].map(name => ({ name, request: async () => undefined }))

test('a task tries each node once per round, even if another task succeeds with one meanwhile, and the next task begins with the node that last succeeded', async () => {
  const group = groupNodes(nodes, { maxRounds: 1 })
  const asked: string[] = []
  const task = async ({ name }: ChainNode) => {
    asked.push(name)
    if (name === 'two') return 'answered'
    await group.ask(async other => {
      if (other.name === 'one') throw new Error('busy')
    }, signal)
    throw new Error('busy')
  }

  expect([await group.ask(task, signal), await group.ask(task, signal)]).toEqual(['answered', 'answered'])
  expect(asked).toEqual(['one', 'two', 'two'])
})
