import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { encodeFunctionData, type Hash, parseAbi } from 'viem'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { LIVE_CONTRACT } from '../../../infra/local/start/event-files.ts'
import { parseStartOptions } from '../../../infra/local/start/start-options.ts'
import { nodeClient } from '../../../infra/recording/start-anvil.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { useLocalStacks } from '../../support/programs/local-stack.ts'
import { descendantsOf, untilEnded } from '../../support/programs/process-family.ts'
import { readRecipes, runRecipe } from '../../support/programs/readme-recipes.ts'
import { startProcess } from '../../support/programs/run-command.ts'
import { until } from '../../support/runner/until.ts'

const CTRL_C = '\x03'
const { folder } = useLocalStacks()

let port: number
let url: string
let live: Awaited<ReturnType<typeof startLive>>
let nodeUrl: string
let dynamoUrl: string
beforeAll(async () => {
  port = await freePort()
  url = `http://127.0.0.1:${port}`
  live = await startLive()
  ;[, nodeUrl = ''] = /Node +(\S+)/.exec(live.printed.all) ?? []
  ;[, dynamoUrl = ''] = /DynamoDB +(\S+)/.exec(live.printed.all) ?? []
})
afterAll(() => live.child.kill('SIGKILL'))

/** Runs the command in a pseudo-terminal, as users do, and resolves when it is ready. */
async function startLive() {
  const command = `npm start -- --live --reorganize-every 1 --port ${port} --data-dir ${folder}`
  const terminal = startProcess('script', ['-qfec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await terminal.untilPrinted('Ctrl-C stops everything.')
  return terminal
}

async function ask<Answer>(request: string): Promise<Answer> {
  const response = await fetch(`${url}${request}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

test('the banner and the page say that the chain is made up', async () => {
  expect(live.printed.all).toContain('The chain is simulated')
  expect(await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()).toContain(
    `data-local-contracts="${LIVE_CONTRACT}"`,
  )
})

const recipes = readRecipes('On a live chain')

const SHOWS: Record<string, RegExp> = {
  'Watch the feed': /^\[\{"change":.*"change":"removed"/m,
  'Keep a copy':
    /Balances at block \d+ of base: [1-9]\d* equal, 0 different.*(│ '0x[0-9a-f]{40}' │ '\d+' +│ \d+ +│.*){5}/s,
  'Receive a webhook': /^added base:0x[0-9a-f]{64}:\d+$/m,
  'Audit the table': /^base, blocks 34160634 to \d+: \d+ events, no difference$.* 0 unproven$/ms,
  'Ask for your own transaction': /^\[\{"event":"OwnershipTransferred".*"newOwner":"0xf39fd6e5/,
}

test.each([...recipes])('the recipe "%s" runs as it stands', async (title, recipe) => {
  const { [title]: shown } = SHOWS
  if (!shown) throw new Error(`SHOWS does not say what ${title} must print`)
  const commands = recipe
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('http://127.0.0.1:8545', nodeUrl)
    .replaceAll('http://127.0.0.1:8000', dynamoUrl)
    .replaceAll('8080', String(await freePort()))
    .replaceAll('.local/', `${folder}/`)

  expect(await runRecipe(commands)).toMatch(shown)
})

function nextOf(headers: Headers): string {
  const [, next = ''] = /<(.*)>/.exec(headers.get('link') ?? '') ?? []
  return next
}

test('a transaction that somebody else sends survives the removal of its block', async () => {
  const client = nodeClient(nodeUrl)
  const [somebody] = await client.getAddresses()
  if (!somebody) throw new Error('The node has no accounts')
  const data = encodeFunctionData({
    abi: parseAbi(['function transferOwnership(address)']),
    functionName: 'transferOwnership',
    args: [somebody],
  })
  const sent: Hash[] = []
  const { headers } = await fetch(`${url}/v1/changes?from=now`)
  let next = nextOf(headers)
  let reported = 0

  // Each transaction is sent only after the previous one was reported, so that every removed block has a transaction.
  await until(async () => {
    if (sent.length === reported) {
      sent.push(await client.sendTransaction({ account: somebody, to: LIVE_CONTRACT, data, chain: null }))
    }
    const page = await fetch(next)
    next = nextOf(page.headers)
    const changes = (await page.json()) as { change: string; record: { id: string } }[]
    const kindsOf = (hash: Hash | undefined) =>
      changes.filter(({ record }) => hash && record.id.includes(hash)).map(({ change }) => change)
    if (kindsOf(sent.at(-1)).includes('added')) reported = sent.length
    return sent.some(hash => kindsOf(hash).includes('removed'))
  })

  for (const hash of sent) {
    await until(async () => {
      const found = await ask<EventRecord[]>(
        `/v1/token-events?address=${LIVE_CONTRACT}&transactionHash=${hash}&finalized=true`,
      )
      return found.length === 1
    })
  }
})

test.each(['/v1/token-events?minBlock=base:13594497', '/v1/changes?from=beginning&finalized=true'])(
  '%s, the example of a parameter that needs an indexer, finds something',
  async request => {
    expect(await ask<unknown[]>(request)).not.toEqual([])
  },
)

test('takes a free port if the default one is in use', async () => {
  const other = createServer().listen(3000, '127.0.0.1')
  // The port is now in use, either by this server or by another program.
  await Promise.race([once(other, 'listening'), once(other, 'error')])

  const options = await parseStartOptions(['node', 'start', '--live'])

  expect(options.port).not.toBe(3000)
  other.close()
})

test('after a kill nothing is left, the next start works, and Ctrl-C ends all of it', async () => {
  const family = descendantsOf(live.child.pid)
  const [stack] = family.filter(pid => isStart(pid))
  process.kill(Number(stack), 'SIGKILL')
  await untilEnded(family)
  await live.ended

  live = await startLive()
  const next = descendantsOf(live.child.pid)
  expect(next.length).toBeGreaterThan(4)
  // As soon as the stack is ready, the chain has final events of all five kinds.
  const final = await ask<EventRecord[]>('/v1/token-events?finalized=true&limit=500')
  expect(new Set(final.map(({ event }) => event)).size).toBe(5)
  live.child.stdin?.write(CTRL_C)
  await live.ended
  await untilEnded(next)
})

/** Whether a process runs `start.ts` itself, not npm or a shell. */
const isStart = (pid: number) =>
  /^\S*node\0infra\/local\/start\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
