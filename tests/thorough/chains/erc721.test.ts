import path from 'node:path'
import { createWalletClient, getContractAddress, http, publicActions, zeroAddress } from 'viem'
import { type Anvil, startAnvil } from '../../../infra/recording/start-anvil.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readIndexState } from '../../../lib/store/leases/acquire-lease.ts'
import { compiledContract } from '../../support/chain/compiled-contract.ts'
import { isCommand } from '../../support/programs/is-command.ts'
import { failureOf, runCommand } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

const engine = useEngine()
const writeFile = useTextFiles()
const CONTRACTS = path.resolve(import.meta.dirname, '../../support/chain')
const LONG_ID = (1n << 255n) + 7n

type Log = Record<string, string>

let anvil: Anvil
/** In each contract, tokens are minted to Ada, who sends all or some of them to Bob. */
let logs: { erc721: Log[]; erc20: Log[] }
let ada = ''
let bob = ''
beforeAll(async () => {
  anvil = await startAnvil()
  const client = createWalletClient({ transport: http(anvil.rpcUrl) }).extend(publicActions)
  const accounts = await client.getAddresses()
  const [account, other] = accounts
  if (!account || !other) throw new Error('The node has no accounts')
  ada = account.toLowerCase()
  bob = other.toLowerCase()
  const deploy = async (name: string, nonce: bigint) => {
    const { abi, bytecode } = await compiledContract(name, CONTRACTS)
    await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi, bytecode, account, chain: null }),
    })
    const address = getContractAddress({ from: account, nonce })
    return async (functionName: string, args: unknown[]) => {
      const hash = await client.writeContract({ address, abi, functionName, args, account, chain: null })
      await client.waitForTransactionReceipt({ hash })
    }
  }
  const erc721 = await deploy('Erc721', 0n)
  const erc20 = await deploy('Erc20', 1n)
  await erc721('mint', [account, LONG_ID])
  await erc20('mint', [account, 10n])
  await erc721('transferFrom', [account, other, LONG_ID])
  await erc20('transfer', [other, 4n])
  const request = { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: 'latest' }] }
  const all = (await client.request(request as never)) as Log[]
  const of = (nonce: bigint) =>
    all.filter(({ address }) => address === getContractAddress({ from: account, nonce }).toLowerCase())
  logs = { erc721: of(0n), erc20: of(1n) }
})
afterAll(() => anvil.stop())

const expectedRecords = () => {
  const holders = [zeroAddress, ada, bob]
  return logs.erc721.map(
    (log, index): EventRecord => ({
      id: `polygon:${log.transactionHash}:0`,
      event: 'TransferSingle',
      network: 'polygon',
      address: log.address ?? '',
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash ?? '',
      transactionHash: log.transactionHash ?? '',
      logIndex: 0,
      createdAt: new Date(Number(log.blockTimestamp) * 1000).toISOString(),
      operator: holders[index] ?? '',
      from: holders[index] ?? '',
      to: holders[index + 1] ?? '',
      tokenIds: [String(LONG_ID)],
      quantities: ['1'],
    }),
  )
}

async function setup() {
  const tableName = await engine.createEventsTable()
  const table = ['--endpoint', engine.endpoint, '--table', tableName, '--network', 'polygon']
  return {
    index: (...more: string[]) => runCommand('index-chain', [...table, '--rpc', anvil.rpcUrl, ...more]),
    load: (...more: string[]) => runCommand('load', [...table, ...more]),
    audit: (...more: string[]) => runCommand('audit', [...table, '--rpc', anvil.rpcUrl, ...more]),
    state: () => readIndexState({ client: engine.client, tableName, network: 'polygon' }),
    stored: () => storedItems(engine.client, tableName),
    events: async () => (await readIndexedTable(engine.client, tableName, 'polygon')).events,
  }
}

test('npm run index takes them with --erc721 only, and not half of them by accident', async () => {
  const { index, events } = await setup()

  expect(await index()).toMatchObject({ code: 0, output: expect.stringContaining('0 events of ') })
  expect(await events()).toEqual([])
  expect(await failureOf(index('--erc721'))).toContain(
    'but this run would index it from block 0 on for any contract, including ERC-721 transfers',
  )
  expect(await index('--erc721', '--restart')).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 logs left out, because they match no known event'),
  })

  expect(await events()).toEqual(itemsOfAll(expectedRecords()))
})

const testAudit = isCommand('audit') ? test : test.skip

testAudit(
  'an audit with --erc721 of an index without it finds each, and records no difference of the index',
  async () => {
    const { index, audit, state } = await setup()
    await index()

    const blocks = ['--to-block', String(Number(logs.erc721[1]?.blockNumber))]
    expect(await audit('--erc721', ...blocks)).toMatchObject({
      code: 1,
      output: expect.stringContaining('2 events, 2 missing'),
    })
    expect((await state())?.differentBlock).toBeUndefined()
  },
)

testAudit('no repair removes them if they have been indexed since its audit began', async () => {
  const { index, load, audit, events } = await setup()
  await load('--erc721', await writeFile('loaded.json', JSON.stringify(logs.erc721)))
  await index()
  const state = path.join(path.dirname(await writeFile('beside', '')), 'repair.audit')
  const again = ['--state', state, '--to-block', String(Number(logs.erc721[1]?.blockNumber))]
  expect(await audit(...again)).toMatchObject({
    code: 1,
    output: expect.stringContaining('2 not on the chain'),
  })
  expect(await index('--erc721', '--restart')).toMatchObject({ code: 0 })

  expect(await audit(...again, '--repair')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Start a new audit (with another --state file)'),
  })

  expect(await events()).toEqual(itemsOfAll(expectedRecords()))
})

test('npm run load takes them with --erc721 only', async () => {
  const { load, stored } = await setup()
  const file = await writeFile('logs.json', JSON.stringify([...logs.erc721, ...logs.erc20]))

  expect(await load(file)).toMatchObject({ code: 1 })
  expect(await load('--erc721', file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 events loaded from 4 lines; 2 lines left out'),
  })

  expect(await stored()).toEqual(itemsOfAll(expectedRecords()))
})
