import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { type Listening, listen, listenForChanges } from '../../support/http/listen.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
let chain: TestChain
let tableName: string
let service: Listening
const folder = useFolder()
beforeAll(async () => {
  chain = await startChain()
  tableName = await engine.createEventsTable()
  service = await listenForChanges({ client: engine.reader, tableName })
  const [by, to] = chain.users
  if (!by || !to) throw new Error('The node has no users')
  const call = (functionName: string, ...args: unknown[]) => ({ by, contract: 0, functionName, args })
  await chain.mine([call('mint', by, 7n, 10n, ''), call('safeTransferFrom', by, to, 7n, 10n, '0x')])
  const target = { endpoint: engine.endpoint, tableName, network: 'polygon' } as const
  await indexChain({ ...target, rpcUrls: [chain.rpcUrl] })
})
afterAll(() => Promise.all([service.stop(), chain.stop()]))

test('--check compares balances with what the contract says, and fails where one differs', async () => {
  const file = path.join(folder, 'copy.sqlite')
  const args = [service.baseUrl, '--to', `sqlite:${file}`, '--check', chain.rpcUrl]
  const head = await chain.head()
  expect(await runCommand('follow', args)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`Balances at block ${head} of polygon: 3 equal, 0 different\n`),
  })

  const database = new DatabaseSync(file)
  database.exec('UPDATE balances SET quantity = 11')
  database.close()
  const [, to] = chain.users
  expect(await runCommand('follow', args)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`Balances at block ${head} of polygon: 2 equal, 1 different\n`),
    errors: expect.stringContaining(
      `${to} has 10 of token 7 of ${chain.contracts[0]} according to the contract, but 11 in the copy\n`,
    ),
  })
})

test('--check names the host that is no node, but not the key in its address', async () => {
  const page = await listen((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'),
  )
  const file = path.join(folder, 'unchecked.sqlite')
  const args = [service.baseUrl, '--to', `sqlite:${file}`, '--check', `${page.baseUrl}/secret`]

  expect(await runCommand('follow', args)).toMatchObject({
    code: 1,
    errors: expect.stringContaining(
      `\nNo node gives a valid answer: ${new URL(page.baseUrl).host} (it responds with a web page (HTML) instead of JSON-RPC)\n`,
    ),
  })
  await page.stop()
})

test('--check compares at the last event if events above the last indexed block were loaded', async () => {
  const [by, to] = chain.users
  if (!by || !to) throw new Error('The node has no users')
  const fromBlock = (await chain.head()) + 1
  await chain.mine([{ by: to, contract: 0, functionName: 'safeTransferFrom', args: [to, by, 7n, 4n, '0x'] }])
  await writeEvents({ client: engine.client, tableName }, await chainEvents(chain, 'polygon', { fromBlock }))
  const args = [
    service.baseUrl,
    '--to',
    `sqlite:${path.join(folder, 'loaded.sqlite')}`,
    '--check',
    chain.rpcUrl,
  ]

  expect(await runCommand('follow', args)).toMatchObject({
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
