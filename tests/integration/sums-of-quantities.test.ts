import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { EventRecord } from '../../lib/events/record.ts'
import { readEvents } from '../../lib/ingest/load/read-events.ts'
import { listenWith, useListening } from '../support/http/listen.ts'
import { serveEvents } from '../support/http/serve-events.ts'
import { useFolder } from '../support/runner/use-folder.ts'
import { useEngine } from '../support/store/engine.ts'

const run = promisify(execFile)
const engine = useEngine()
const ROOT = path.resolve(import.meta.dirname, '../..')
const LOCAL_STACK = 'http://127.0.0.1:3000'
const WALLET = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

const records: EventRecord[] = []
const folder = useFolder()

const api = useListening(async () => {
  for await (const { outcome } of readEvents([path.join(ROOT, 'infra/local/data/recorded.ndjson')])) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  }
  return listenWith((await serveEvents(engine, records)).store)
})

async function exampleIn(page: string, { after, language }: { after: string; language: string }) {
  const [, rest = ''] = (await readFile(path.join(ROOT, page), 'utf8')).split(after)
  const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(rest) ?? []
  expect(code).toContain(LOCAL_STACK)
  return code.replace(LOCAL_STACK, api.baseUrl)
}

/** For each id, the quantities that the wallet received minus the quantities that it sent. */
function balancesAfter(events: EventRecord[]): string[] {
  const balances = new Map<string, bigint>()
  const change = (tokenIds: string[], quantities: string[], sign: bigint) => {
    for (const [at, id] of tokenIds.entries()) {
      balances.set(id, (balances.get(id) ?? 0n) + sign * BigInt(quantities[at] ?? ''))
    }
  }
  for (const record of events) {
    if ('from' in record && record.from === WALLET) change(record.tokenIds, record.quantities, -1n)
    if ('to' in record && record.to === WALLET) change(record.tokenIds, record.quantities, 1n)
    if ('initialOwner' in record && record.initialOwner === WALLET)
      change([record.tokenId], [record.quantity], 1n)
    if ('owner' in record && record.owner === WALLET) change(record.tokenIds, record.quantities, 1n)
  }
  return [...balances].map(([id, balance]) => `${id}: ${balance}`).sort()
}

const ofContract = () => records.filter(({ network, address }) => network === 'base' && address === CONTRACT)
const transfers = () => ofContract().filter(({ event }) => event.startsWith('Transfer'))

test('who counts mints beside their transfers counts them twice', () => {
  const counted = balancesAfter(transfers())

  // The recorded transactions mint 10 of id 1, 1 of id 3, 20 of id 4 and 300 of id 5.
  expect(counted).toEqual(['1: 5', '3: 0', '4: 9', '5: 197'])
  expect(balancesAfter(ofContract())).toEqual(['1: 15', '3: 1', '4: 29', '5: 497'])
})

test('the line of the README adds up the transfers of a wallet from CSV', async () => {
  const lines = await exampleIn('README.md', { after: '### Accountant', language: 'sh' })
  const { stdout } = await run('sh', ['-c', lines])

  expect(stdout.trim().split('\n').sort()).toEqual(balancesAfter(transfers()))
})

test('the program of the client adds up the same, and any uint256', async () => {
  const code = await exampleIn('lib/client/README.md', { after: '## Sums', language: 'ts' })
  const program = path.join(folder, 'sums.ts')
  await writeFile(program, code.replace('./lib/client/', `${ROOT}/lib/client/`))
  const { stdout } = await run(process.execPath, [program])

  expect(stdout.trim().split('\n').sort()).toEqual(balancesAfter(transfers()))
})
