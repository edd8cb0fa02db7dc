import {
  type LoadOptions,
  type LoadProgress,
  loadFiles,
  type Reject,
} from '../../lib/ingest/load/load-files.ts'
import { useTextFiles } from '../support/programs/text-files.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { ndjson, rawLogOf } from '../support/records/raw-log-of.ts'
import { useEngine } from '../support/store/engine.ts'
import { problemsIn } from '../support/store/problems-in.ts'
import { itemsOfAll, storedItems } from '../support/store/stored-items.ts'

const engine = useEngine()
const writeText = useTextFiles()
const RECORDS = eventSetOf({ blocks: 6, events: 3 }, 11)
const LOGS = RECORDS.map(rawLogOf)

async function setup() {
  const tableName = await engine.createEventsTable()
  return {
    async load(texts: string[], options: Partial<LoadOptions> = {}) {
      const files = await Promise.all(texts.map((text, index) => writeText(`logs-${index}.ndjson`, text)))
      const rejects: Reject[] = []
      const onReject = (reject: Reject) => rejects.push(reject)
      const summary = await loadFiles({ client: engine.client, tableName, files, onReject, ...options })
      const reports = rejects.map(({ file, line, code }) => `${file.match(/logs-\d/)?.[0]}:${line}: ${code}`)
      return { summary, reports }
    },
    stored: () => storedItems(engine.client, tableName),
    problems: () => problemsIn({ client: engine.client, tableName }),
  }
}

describe('loading files', () => {
  it('stores and counts events by network and kind, reports what is no log of a known event, leaves out the later of two conflicting lines, and counts duplicates', async () => {
    const { load, stored } = await setup()
    const [log, ...others] = LOGS
    const [same] = others
    const lines = [
      'nonsense',
      '',
      JSON.stringify({ ...log, topics: [`0x${'9'.repeat(64)}`] }),
      JSON.stringify({ ...log, topics: log?.topics.slice(0, 2) }),
      JSON.stringify({ ...log, data: '0x1234' }),
      JSON.stringify({ ...log, network: 'solana' }),
      '\u0000\u0001',
    ]
    const duplicate = { ...same, address: `0x${same?.address.slice(2).toUpperCase()}`, source: 'elsewhere' }
    const conflicting = { ...same, blockHash: `0x${'e'.repeat(64)}`, logIndex: 99 }
    const { summary, reports } = await load([
      `${lines.join('\n')}\n${ndjson(others)}`,
      ndjson([duplicate, conflicting]),
    ])
    expect(reports).toEqual([
      'logs-0:1: malformed',
      'logs-0:3: unknown-event',
      'logs-0:4: other-parameters',
      'logs-0:5: bad-encoding',
      'logs-0:6: malformed',
      'logs-0:7: malformed',
      'logs-1:2: broken-invariant',
    ])
    const counts = { lines: others.length + 8, loaded: others.length, duplicates: 1, rejected: 7 }
    expect(summary).toMatchObject(counts)
    expect(await stored()).toEqual(itemsOfAll(RECORDS.slice(1)))
    const kinds = summary.byKind.flatMap(({ network, event, count }) =>
      Array(count).fill(`${network} ${event}`),
    )
    expect(kinds.sort()).toEqual(
      RECORDS.slice(1)
        .map(({ network, event }) => `${network} ${event}`)
        .sort(),
    )
  })

  it.each([{ address: `0x${'12'.repeat(20)}` }, { blockTimestamp: 100_000_000 }])(
    'does not notice that a line contradicts what an earlier load has stored, but verify does: %j',
    async change => {
      const { load, problems } = await setup()
      const [log] = LOGS
      await load([ndjson([log])])
      await load([ndjson([log])])
      expect(await problems()).toEqual([])

      const { summary } = await load([ndjson([{ ...log, ...change }])])

      expect(summary).toMatchObject({ loaded: 1, rejected: 0 })
      expect(await problems()).not.toEqual([])
    },
  )

  it('tells how far it is, and in the end that everything is read and stored', async () => {
    const { load } = await setup()
    const progress: LoadProgress[] = []
    const texts = [ndjson(LOGS.slice(0, 20)), `${ndjson(LOGS.slice(20))}\n\n`]
    await load(texts, { onProgress: each => progress.push(each) })
    const bytesTotal = Buffer.byteLength(texts.join(''))
    expect(progress.at(-1)).toEqual({ bytesRead: bytesTotal, bytesTotal, events: LOGS.length })
    for (const [index, { bytesRead, events }] of progress.slice(1).entries()) {
      expect(bytesRead).toBeGreaterThanOrEqual(progress[index]?.bytesRead ?? 0)
      expect(events).toBeGreaterThanOrEqual(progress[index]?.events ?? 0)
    }
  })

  it('loads nothing at all when one of the files cannot be read', async () => {
    const { load, stored } = await setup()
    const loading = load([], { files: [await writeText('there', ndjson(LOGS)), '/no/such/file'] })
    await expect(loading).rejects.toThrow("Can't read /no/such/file: the file does not exist")
    expect(await stored()).toEqual([])
  })
})
