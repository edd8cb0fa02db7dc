import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { activity } from '../../infra/recording/activity.ts'
import { type Anvil, startAnvil } from '../../infra/recording/start-anvil.ts'
import { startChain, type TestChain } from '../support/chain/chain.ts'
import { chainEvents } from '../support/chain/chain-truth.ts'
import { useEngine } from '../support/store/engine.ts'
import { readIndexedTable } from '../support/store/indexed-table.ts'
import { itemsOfAll } from '../support/store/stored-items.ts'

const engine = useEngine()
const ROOT = path.resolve(import.meta.dirname, '../..')
const ROUNDS = 4
const FINAL_DEPTH = 64
const LONG_MS = 120_000

let chain: TestChain
beforeAll(async () => {
  chain = await startChain()
  for (let round = 0; round < ROUNDS; round++) {
    for (const calls of activity(chain.users, round)) await chain.mine(calls)
  }
  await chain.mineEmpty(FINAL_DEPTH)
}, LONG_MS)
afterAll(() => chain.stop())

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(command: 'index-chain' | 'verify', args: string[]) {
  const child = spawn(process.execPath, [`infra/commands/${command}.ts`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  return { child, ended: endOf(child) }
}

async function endOf(child: ChildProcess) {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The command has no output')
  const [output, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return { code, output, errors }
}

async function setup() {
  const tableName = await engine.createEventsTable()
  const table = ['--endpoint', engine.endpoint, '--table', tableName]
  const source = ['--network', 'polygon', '--rpc', chain.rpcUrl, '--confirmations', '0']
  return {
    tableName,
    index: (...more: string[]) => start('index-chain', [...table, ...source, ...more]),
    verify: () => start('verify', table).ended,
    read: () => readIndexedTable(engine.client, tableName, 'polygon'),
  }
}

test(
  'indexes up to the head and says how far it came; verify finds nothing wrong',
  async () => {
    const { index, verify, read } = await setup()

    const { code, output } = await index().ended

    const truth = await chainEvents(chain, 'polygon')
    expect(code).toBe(0)
    expect(output).toContain(`polygon is indexed up to block ${await chain.head()} of `)
    expect(output).toContain(`${truth.length} events of `)
    expect((await read()).events).toEqual(itemsOfAll(truth))
    const items = itemsOfAll(truth).length
    expect(await verify()).toMatchObject({
      code: 0,
      output: `${truth.length} events in ${items} items: all is well\n`,
    })
  },
  LONG_MS,
)

test(
  'stops at the block that it is given, and goes on behind it',
  async () => {
    const { index, read } = await setup()

    expect(await index('--to-block', '10').ended).toMatchObject({ code: 0 })
    expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon', { toBlock: 10 })))
    expect(await index().ended).toMatchObject({ code: 0 })

    expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon')))
  },
  LONG_MS,
)

test(
  'stops cleanly when asked to while it follows the head',
  async () => {
    const { index, read } = await setup()
    const { child, ended } = index('--follow')
    for (
      let waits = 0;
      waits < 500 && (await read()).checkpoint?.blockNumber !== (await chain.head());
      waits++
    ) {
      await setTimeout(50)
    }

    child.kill('SIGINT')

    expect(await ended).toMatchObject({ code: 130 })
    expect((await read()).checkpoint).toMatchObject({ leased: false, blockNumber: await chain.head() })
  },
  LONG_MS,
)

test(
  'killed in the middle, the same command goes on once the lease of the dead one is over',
  async () => {
    const { index, read } = await setup()
    const { child, ended } = index()
    for (let waits = 0; waits < 500 && (await read()).events.length < 20; waits++) await setTimeout(5)
    child.kill('SIGKILL')
    await ended

    expect(await index().ended).toMatchObject({ code: 0 })

    expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon')))
  },
  LONG_MS,
)

test('indexes a chain with another id where that is named', async () => {
  const { index, read } = await setup()

  expect(await index('--chain-id', '31337', '--to-block', '3').ended).toMatchObject({ code: 0 })

  expect((await read()).checkpoint).toMatchObject({ blockNumber: 3 })
})

describe('given a node of another chain', () => {
  let other: Anvil
  afterEach(() => other.stop())

  test.each([
    ['8453', 'is of base (chain id 8453), not of polygon (chain id 137)'],
    ['11155111', 'is of the chain with id 11155111, not of polygon (chain id 137)'],
  ])(
    'with the id %s, beside a right one, it ends with one line and writes nothing',
    async (chainId, sentence) => {
      other = await startAnvil(['--chain-id', chainId])
      const { index, read } = await setup()

      const { code, output, errors } = await index('--rpc', `${other.rpcUrl}/?key=KEY`).ended

      expect({ code, output }).toEqual({ code: 1, output: '' })
      expect(errors.trim().split('\n')).toEqual([expect.stringContaining(sentence)])
      expect(errors).not.toContain('KEY')
      expect(await read()).toMatchObject({ events: [], checkpoint: undefined, recentBlocks: [] })
    },
    LONG_MS,
  )
})

test.each([
  [['--netwrok', 'base'], "unknown option '--netwrok' (Did you mean --network?)"],
  [['--rpc', 'http://127.0.0.1:9'], "required option '--network <name>' not specified"],
  [['--network', 'solana', '--rpc', 'http://127.0.0.1:9'], 'Allowed choices are arbitrum, '],
  [['--network', 'base', '--rpc', 'node'], 'It is a URL'],
  [
    ['--network', 'base', '--rpc', 'http://127.0.0.1:9', '--chain-id', '0x1'],
    'It is a whole number from 1 on',
  ],
  [
    ['--network', 'base', '--rpc', 'http://127.0.0.1:9', '--contract', '0x1'],
    'An address is 0x and 40 hex digits',
  ],
  [
    ['--network', 'base', '--rpc', 'http://127.0.0.1:9', '--endpoint', 'http://127.0.0.1:9'],
    'nothing listens there',
  ],
])(
  'says in one line what is wrong with %j',
  async (args, problem) => {
    const { code, errors } = await start('index-chain', args).ended

    expect(code).toBe(1)
    expect(errors).toContain(problem)
    expect(errors.trim().split('\n')).toHaveLength(1)
  },
  LONG_MS,
)
