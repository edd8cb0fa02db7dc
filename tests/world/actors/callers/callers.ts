import { act, type Part } from '../../world.ts'
import { CALLER_LAWS } from './caller-laws.ts'
import { startCaller } from './start-caller.ts'

export const CALLERS: Part = {
  acts: {
    call: act(4, acting => {
      const { network, random } = acting
      // Mines a block in most cases, so that the newest block is usually not indexed yet.
      if (random.chance(0.6)) network.chain.mine(4)
      for (let left = 2; left > 0; left -= 1) startCaller(acting)
    }),
    'new instances': act(1, ({ world }) => world.service.restart()),
  },
  themes: [
    { weights: { call: 20, 'start writers': 8 }, lag: { indexMs: 400_000 } },
    { weights: { call: 20, 'start writers': 8, mine: 14, 'new instances': 4 }, lag: { readMs: 3000 } },
    // Walks over several networks, whose indexers die and whose chains are reorganised between two pages.
    {
      networks: [2, 2, 3],
      weights: { call: 40, 'start writers': 10, mine: 14, reorganise: 8, 'kill a job': 5 },
      lag: { indexMs: 0, readMs: 0 },
    },
    { networks: [2, 2, 3], weights: { call: 40, 'start writers': 10, mine: 14, finalize: 8 } },
  ],
  laws: CALLER_LAWS,
}
