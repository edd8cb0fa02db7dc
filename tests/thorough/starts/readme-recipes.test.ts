import path from 'node:path'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { codeIn, readRecipes, runRecipe } from '../../support/programs/readme-recipes.ts'
import { startProcess } from '../../support/programs/run-command.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { engineName } from '../../support/store/engine-name.ts'

const LOCAL_STACK = 'http://127.0.0.1:3000'
/** Made before the folder, so that the folder is removed only after the terminals are closed. */
const stopLater = useStops()
const { folder, runReady, stopAll } = useLocalStacks()

let stack: PlacedStack
beforeAll(async () => {
  stack = await runReady(['--engine', engineName(), '--data-dir', path.join(folder, 'recipes')])
})
afterAll(stopAll)

const recipes = readRecipes('Recipes')

/** Uses this test's stack. The recipe's files are created in the test's folder. */
const follow = (recipe: string) =>
  runRecipe(
    recipe
      .replaceAll(LOCAL_STACK, stack.url)
      .replaceAll('sqlite:', `sqlite:${folder}/`)
      .replaceAll('npm run', 'npm run --silent'),
  )

const SHOWS: Record<string, RegExp> = {
  Wallet: /^\[\{"event":.*"network":"base".*\}\]\[\{"event":"Transfer.*\}\]$/s,
  Marketplace: /^HTTP\/1\.1 200 OK.*X-Total-Count: 5\r\n.*\[\{"event":.*"tokenIds":\["1"\]/s,
  Accountant: /^(?=.*^1: 5$)(?=.*^3: 0$)(?=.*^4: 9$)(?=.*^5: 197$)/ms,
  'Data engineer': /events\.sqlite has \d+ events, and is up to date$/m,
  Operator: /^\{"version":"[^"]+","networks":\[\]\}.*\d+ checks passed$/ms,
  'AI agent': /\/v1\/user-events\//,
}

test.each(Object.entries(SHOWS))('the recipe for "%s" runs as it stands', async (title, shown) => {
  const recipe = recipes.get(title) ?? ''

  expect(recipe).not.toBe('')
  expect(await follow(recipe)).toMatch(shown)
})

test('every recipe of the README is tried here', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(SHOWS))
})

/** The lines run in a process group of their own. */
function openTerminal(lines: string) {
  const given = ['-e', '-o', 'pipefail', '-c', lines]
  const terminal = startProcess('bash', given, { env: { HOME: folder }, detached: true })
  const { child, ended } = terminal
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGTERM')
    return ended
  }
  return stopLater({ ...terminal, stop })
}

const SECTION = 'Index your own contract from a local chain'
const NEXT = '--- next block ---'

test('the walk-through of the page about indexing works as it stands', async () => {
  const [anvil = '', start = '', variables = '', ...steps] = codeIn('lib/ingest/README.md', 'sh', SECTION)
  const nodePort = await freePort()
  const apiPort = await freePort()
  const chain = openTerminal(`${anvil.trim()} --port ${nodePort}`)
  const service = openTerminal(
    start.trim().replace('4020', `${apiPort} --data-dir ${path.join(folder, 'data')}`),
  )
  await Promise.all([chain.untilPrinted('Listening on'), service.untilPrinted('Ctrl-C stops')])
  const [, database = ''] = /DynamoDB +(\S+)/.exec(service.printed.all) ?? []
  const own = [
    [/^RPC=.*$/m, `RPC=http://127.0.0.1:${nodePort}`],
    [/^API=.*$/m, `API=http://127.0.0.1:${apiPort}`],
    [/^DB=.*$/m, `DB=${database}`],
  ] as const
  const settings = own.reduce((text, [line, value]) => {
    expect(text).toMatch(line)
    return text.replace(line, value)
  }, variables)

  const work = openTerminal([settings, ...steps].join(`echo; echo '${NEXT}'\n`))
  const code = await work.ended

  expect({ code, printed: code === 0 ? '' : work.printed.all }).toEqual({ code: 0, printed: '' })
  const [, , indexed = ''] = work.printed.all.split(NEXT)
  expect(indexed).toContain(
    'polygon: indexing from block 1 on (0x5fbdb2315678afecb367f032d93f642f64180aa3 was created in',
  )
  expect(indexed).toContain('polygon is indexed up to block 2 (')
  expect(contentsOf(indexed)).toEqual(['Minted 10 of 1', 'TransferSingle 10 of 1', 'OwnershipTransferred'])
  expect(indexed).toMatch(/3 events in \d+ items: all is well/)
})

function contentsOf(printed: string): string[] {
  const [json = ''] = /^\[\{.*\}\]/m.exec(printed) ?? []
  return (JSON.parse(json) as EventRecord[]).map(record => {
    if (record.event === 'Minted') return `Minted ${record.quantity} of ${record.tokenId}`
    if ('tokenIds' in record) return `${record.event} ${record.quantities} of ${record.tokenIds}`
    return record.event
  })
}
