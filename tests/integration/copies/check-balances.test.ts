import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Call } from '../../../infra/recording/activity.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { listenForChanges, useListening } from '../../support/http/listen.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const chain = useChain()
const folder = useFolder()
let tableName: string
const service = useListening(async () => {
  tableName = await engine.createEventsTable()
  return listenForChanges({ client: engine.reader, tableName })
})
const callBy = (by: string, functionName: string, ...args: unknown[]): Call => ({
  ...{ by: by as Call['by'], contract: 0, functionName, args },
})
beforeAll(async () => {
  const [by = '', to = ''] = chain.users
  await chain.mine([
    callBy(by, 'mint', by, 7n, 10n, ''),
    callBy(by, 'safeTransferFrom', by, to, 7n, 10n, '0x'),
  ])
  const target = { endpoint: engine.endpoint, tableName, network: 'polygon' } as const
  await indexChain({ ...target, rpcUrls: [chain.rpcUrl] })
})

/** Brings the copy in the file up to date, and then checks the copy. */
const check = (file: string) =>
  runCommand('follow', [service.baseUrl, '--to', `sqlite:${file}`, '--check', chain.rpcUrl])

test('--check compares balances with what the contract says, and fails where one differs', async () => {
  const file = path.join(folder, 'copy.sqlite')
  const head = await chain.head()
  expect(await check(file)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Balances at block ${head} of polygon: 3 equal, 0 different\n`),
  })

  const database = new DatabaseSync(file)
  database.exec('UPDATE balances SET quantity = 11')
  database.close()
  const [, to] = chain.users
  expect(await check(file)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`Balances at block ${head} of polygon: 2 equal, 1 different\n`),
    errors: expect.stringContaining(
      `${to} has 10 of token 7 of ${chain.contracts[0]} according to the contract, but 11 in the copy\n`,
    ),
  })
})

test('--check compares at the last event if events above the last indexed block were loaded', async () => {
  const [by = '', to = ''] = chain.users
  const fromBlock = (await chain.head()) + 1
  await chain.mine([callBy(to, 'safeTransferFrom', to, by, 7n, 4n, '0x')])
  await writeEvents({ client: engine.client, tableName }, await chainEvents(chain, 'polygon', { fromBlock }))

  expect(await check(path.join(folder, 'loaded.sqlite'))).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Balances at block ${fromBlock} of polygon: `),
  })
})

test.each(['TransferBatch', 'TransferSingle'])(
  '--check refuses a copy that has no transfers but %s, because its balances differ from those of the contract',
  async event => {
    const args = ['--out', path.join(folder, 'some.sqlite'), '--event', event, '--check', chain.rpcUrl]

    expect(await runCommand('follow', [service.baseUrl, ...args])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--check needs all transfers'),
    })
  },
)
