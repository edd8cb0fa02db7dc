import { compareTables } from '../../infra/operate/restore/compare-tables.ts'
import { activity } from '../../infra/recording/activity.ts'
import { recordForm } from '../../lib/store/writing/record-form.ts'
import { useChain } from '../support/chain/chain.ts'
import { indexChain } from '../support/chain/index-chain.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const chain = useChain()
beforeAll(async () => {
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
})

const index = (tableName: string, toBlock?: number) =>
  indexChain({
    ...{ endpoint: engine.endpoint, tableName, network: 'polygon', rpcUrls: [chain.rpcUrl] },
    ...(toBlock !== undefined && { toBlock }),
  })

test('a table that is behind, of other networks, without a network, or that does not exist is noticed before the move', async () => {
  const [used, target] = [await engine.createEventsTable(), await engine.createEventsTable()]
  const ofOthers = await engine.createEventsTable()
  await index(used)
  await index(target, 2)
  await recordForm({ client: engine.client, tableName: ofOthers, networks: ['base'] })

  expect(await compareTables(engine.client, { used, target })).toEqual([
    `polygon is indexed to block ${await chain.head()} in ${used}, but only to block 2 in ${target}`,
    expect.stringContaining(`npm run index -- --network polygon --rpc URL --table ${target}`),
  ])
  await index(target)
  expect(await compareTables(engine.client, { used, target })).toEqual([])
  expect(await compareTables(engine.client, { used, target: ofOthers })).toEqual([
    `The networks of ${ofOthers} are base, but those of ${used} are all: change the stage's setting networks to base`,
    expect.stringMatching(/^polygon is indexed to block \d+ in .+, but not at all in /),
    expect.stringContaining('npm run index'),
  ])
  expect(await compareTables(engine.client, { used, target: 'missing' })).toEqual([
    expect.stringContaining('There is no table missing in this AWS account and region: check the name'),
  ])
})
