import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { activity } from '../../../infra/recording/activity.ts'
import { nodeClient, startAnvil } from '../../../infra/recording/start-anvil.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { listen } from '../../support/http/listen.ts'
import { failureOf, refusalOf, runCommand } from '../../support/programs/run-command.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const engine = useEngine()
const startFaultProxy = useFaultProxies()
const stopLater = useStops()
/** Enough empty blocks after the events to make the command search for the block that created the contracts. */
const QUIET_BLOCKS = 70

const chain = useChain()
beforeAll(async () => {
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
  await chain.mineEmpty(QUIET_BLOCKS)
})

async function setup() {
  const tableName = await engine.createEventsTable()
  const fixed = ['--network', 'polygon', '--endpoint', engine.endpoint, '--table', tableName]
  const indexFrom = (rpcUrl: string, ...more: string[]) =>
    runCommand('index-chain', [...fixed, '--rpc', rpcUrl, ...more])
  return {
    indexFrom,
    index: (...more: string[]) => indexFrom(chain.rpcUrl, ...more),
    read: () => readIndexedTable(engine.client, tableName, 'polygon'),
  }
}

const timeOf = async (number: number) => (await chain.block(number)).timestamp

describe('where indexing begins', () => {
  test('in the block in which the first of its contracts was created', async () => {
    const { index, read } = await setup()
    const [contract = ''] = chain.contracts

    expect(await index('--contract', contract)).toMatchObject({
      code: 0,
      errors: `polygon: indexing from block 1 on (${contract} was created in block 1)\n`,
    })
    const events = (await chainEvents(chain, 'polygon')).filter(({ address }) => address === contract)
    expect((await read()).events).toEqual(itemsOfAll(events))
    expect((await read()).checkpoint).toMatchObject({ scope: { fromBlock: 1 } })
  })

  test('with the block from a time on, whichever way the time is written', async () => {
    const seconds = await timeOf(4)
    for (const time of [String(seconds), new Date(seconds * 1000 - 400).toISOString()]) {
      const { index, read } = await setup()

      const { code, errors } = await index('--from-time', time)

      const date = new Date(seconds * 1000).toISOString()
      expect({ code, errors }).toEqual({
        code: 0,
        errors: `polygon: indexing from block 4 on (the time of block 4 is ${date})\n`,
      })
      expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon', { fromBlock: 4 })))
    }
  })

  test('again where a time near the newest block has led before, although that block is final by now', async () => {
    const { index, read } = await setup()
    const head = await chain.head()
    const time = String(await timeOf(head - 2))
    expect(await index('--from-time', time)).toMatchObject({ code: 0 })
    await chain.mineEmpty(3)

    expect(await index('--from-time', time)).toMatchObject({ code: 0 })

    expect((await read()).checkpoint).toMatchObject({ blockNumber: head + 3 })
    expect((await index('--from-time', String(await timeOf(4)))).errors).toContain('--restart')
  })

  test('where it began before, which is said, and can be changed', async () => {
    const { index, read } = await setup()
    await index('--from-block', '4', '--to-block', '5')

    expect((await index()).errors).toBe(
      'polygon: indexing from block 4 on, as before (to start at another block, use --from-block and --restart)\n',
    )
    expect(await failureOf(index('--from-block', '2'))).toContain(
      'was indexed from block 4 on for any contract, but this run would index it from block 2 on for any contract',
    )
    const restarted = { code: 0, errors: 'polygon: indexing from block 2 on\n' }
    expect(await index('--from-block', '2', '--restart')).toMatchObject(restarted)

    expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon', { fromBlock: 2 })))
  })

  test('a block beyond the newest is refused, and not remembered', async () => {
    const { index, read } = await setup()
    const head = await chain.head()

    expect(await failureOf(index('--from-block', '5000'))).toBe(
      `polygon cannot be indexed from block 5000 on, because the newest block is ${head}. Nothing was changed: choose an earlier start\n`,
    )
    expect((await read()).checkpoint).toBeUndefined()
    expect(await failureOf(index('--from-time', '2200-01-01'))).toContain(
      `cannot be indexed from 2200-01-01T00:00:00.000Z on, because the newest block is ${head} (`,
    )

    expect(await index()).toMatchObject({ code: 0, errors: expect.stringContaining('from block 0 on') })
  })

  test('is asked for where there is no such contract, or the node does not tell', async () => {
    const { index, indexFrom } = await setup()
    const nobody = `0x${'1'.repeat(40)}`
    const remedy =
      "so the first block is unknown. Set it with --from-block or --from-time (fromBlock in the function's configuration)\n"
    expect(await failureOf(index('--contract', nobody))).toBe(
      `polygon: there is no contract at ${nobody} (check the address and the network), ${remedy}`,
    )

    const forgetful = await startFaultProxy(
      chain.rpcUrl,
      changeReplies(({ method, params }, reply) =>
        method === 'eth_getCode' && Number(params[1]) < QUIET_BLOCKS
          ? { id: reply.id, error: { code: -32000, message: 'missing trie node' } }
          : reply,
      ),
    )
    const [contract = ''] = chain.contracts
    const errors = await failureOf(indexFrom(forgetful.url, '--contract', contract))
    expect(errors).toContain(`the node cannot tell whether ${contract} existed in block `)
    expect(errors).toContain(`(missing trie node), ${remedy}`)
  })
})

test('a development node has a chain to index up to its head, unless more confirmations are waited for', async () => {
  const { indexFrom } = await setup()
  const young = stopLater(await startAnvil())
  await nodeClient(young.rpcUrl).mine({ blocks: 5 })

  expect(await indexFrom(young.rpcUrl, '--confirmations', '8')).toMatchObject({
    code: 1,
    output:
      'polygon has no block to index yet: the newest block is 5, the first block to index is 0, and 8 confirmations are required (--confirmations). To wait until this block can be indexed, use --follow\n',
  })
  expect(await indexFrom(young.rpcUrl)).toMatchObject({
    code: 0,
    output: expect.stringContaining('polygon is indexed up to block 5 ('),
  })
})

describe('an address that is no node', () => {
  test.each<[string, body: string, reason: string]>([
    ['application/json', '[]', 'it responds with [] instead of JSON-RPC'],
    ['application/json', '', 'it responds with an empty body instead of JSON-RPC'],
    ['text/html', '<html></html>', 'it responds with a web page (HTML) instead of JSON-RPC'],
    [
      'application/json',
      '<!doctype html><html></html>',
      'it responds with a web page (HTML) instead of JSON-RPC',
    ],
    ['application/json', '{"status":"healthy"}', 'it responds with other JSON instead of JSON-RPC'],
    ['text/plain', 'I am alive and well', 'it responds with text that is not JSON'],
  ])('answers, as %s, %j: that is said in one line', async (type, body, reason) => {
    const { baseUrl, stop } = await listen((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    )
    const table = ['--endpoint', engine.endpoint, '--table', await engine.createEventsTable()]

    const line = await refusalOf('index-chain', ['--network', 'polygon', '--rpc', `${baseUrl}/KEY`, ...table])
    await stop()

    expect(line).toContain(`No node gives a valid answer: ${new URL(baseUrl).host} (`)
    expect(line).toContain(reason)
    expect(line).not.toContain('KEY')
  })

  test('where nothing listens, and where one of two does, which is then used', async () => {
    const { indexFrom } = await setup()
    const host = `127.0.0.1:${await freePort()}`

    expect(await failureOf(indexFrom(`http://${host}`))).toContain(
      `No node answers at ${host}: the connection was refused. Check --rpc\n`,
    )

    expect(await indexFrom(`http://${host}`, '--rpc', chain.rpcUrl)).toMatchObject({ code: 0 })
  })
})
