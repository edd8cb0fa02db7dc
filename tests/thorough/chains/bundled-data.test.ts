import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { RECORDING_PLANS, recordNetwork } from '../../../infra/recording/record-network.ts'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { readEvents } from '../../../lib/ingest/load/read-events.ts'
import { itemsOf } from '../../../lib/store/format/event-items.ts'
import { compiledContract } from '../../support/chain/compiled-contract.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../infra/local/data')

const readText = (name: string) => readFile(path.join(FOLDER, name), 'utf8')
const readLogs = async (name: string): Promise<{ network: string; source: string }[]> =>
  (await readText(name))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

let names: string[]
let records: EventRecord[]
let leftOut: string[]

beforeAll(async () => {
  names = (await readdir(FOLDER)).filter(name => name.endsWith('.ndjson')).sort()
  records = []
  leftOut = []
  for await (const { file, line, outcome } of readEvents(names.map(name => path.join(FOLDER, name)))) {
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
    else leftOut.push(`${file}:${line}: ${JSON.stringify(outcome)}`)
  }
})

describe('the bundled data', () => {
  it('is all loaded: every line is a known event, none contradicts or repeats another', () => {
    expect(leftOut).toEqual([])
  })

  it('has every kind of event on every network of which logs are recorded', () => {
    const found = new Set(records.map(({ network, event }) => `${network} ${event}`))
    const wanted = RECORDING_PLANS.flatMap(({ network }) => EVENT_KINDS.map(event => `${network} ${event}`))
    expect([...found].sort()).toEqual(wanted.sort())
  })

  it('has what is easily got wrong', () => {
    expect(records.some(({ blockNumber }) => blockNumber > 100_000_000)).toBe(true)
    expect(records.some(record => itemsOf(record).chunks.length > 0)).toBe(true)
    expect(records.some(record => 'tokenIds' in record && record.tokenIds.length === 0)).toBe(true)
    expect(records.some(each => each.event === 'MintedBatch' && each.token !== each.address)).toBe(true)
    expect(records.some(record => 'operator' in record && record.operator !== record.from)).toBe(true)
  })

  it('counts in its README the logs of each file and each source', async () => {
    const cells = (await readText('README.md')).replaceAll(/ *\| */g, '|')
    for (const name of names) {
      const logs = await readLogs(name)
      expect(cells).toContain(`|\`${name}\`|${logs.length.toLocaleString('en')}|`)
      if (name === 'recorded.ndjson') continue
      const repositories = Map.groupBy(logs, ({ source }) => source.split(':')[0])
      for (const [repository, { length }] of repositories) {
        expect(cells).toMatch(new RegExp(`\\|${repository}\\|(MIT|Apache-2.0)\\|[^|]+\\|${length}\\|`))
      }
    }
  })

  it('marks all that was recorded on a development node', async () => {
    for (const { source } of await readLogs('recorded.ndjson')) expect(source).toMatch(/^recorded from anvil/)
  })

  it.each(RECORDING_PLANS.filter(({ network }) => network === 'bnb-chain' || network === 'base'))(
    'has of $network what the recording script records',
    async plan => {
      const bundled = (await readLogs('recorded.ndjson')).filter(({ network }) => network === plan.network)
      expect(await recordNetwork(plan, await compiledContract('Collectibles'))).toEqual(bundled)
    },
  )
})
