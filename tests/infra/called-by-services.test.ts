import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { usersOf } from '../../lib/events/lists.ts'
import { compareByTime, placeOf } from '../../lib/events/place.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { readEvents } from '../../lib/ingest/load/read-events.ts'

const INFRA = path.resolve(import.meta.dirname, '../../infra')
const DATA = path.join(INFRA, 'local/data')
/** Step Functions' limit for a state: https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const STATE_BYTES = 256 * 1024

const page = readFileSync(path.join(INFRA, 'calling-from-aws.md'), 'utf8')
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text))

test('the policy lets callers invoke all functions that take direct calls', () => {
  const { Resource } = examples.find(({ Action }) => Action === 'lambda:InvokeFunction')

  const names = Resource.map((arn: string) => /-prod-(\w+):live$/.exec(arn)?.[1])
  expect(names.join()).toBe('userEvents,tokenEvents,changes')
})

test('the pages of the state machine fit into its states, and the page names the largest', async () => {
  const { States } = examples.find(({ StartAt }) => StartAt === 'Ask')
  const { limit } = States.NextPage.Parameters.query
  const records = await bundledRecords()
  const ofContracts = [records, ...listsBy(records, ({ address }) => [address])]
  const ofWallets = listsBy(records, usersOf)

  const [contract, wallet] = [largestPage(ofContracts, limit), largestPage(ofWallets, limit)]
  const fiveHundred = largestPage([...ofContracts, ...ofWallets], 500)

  const inOneLine = page.replaceAll(/\s+/g, ' ')
  expect(inOneLine).toContain(`input is \`{ "query": { "address": "0x…", "limit": ${limit} } }\``)
  expect(inOneLine).toContain(
    `a page of a hundred events takes up to ${kilobytes(contract)} KB for a contract, and up to ${kilobytes(wallet)} KB for a wallet. Five hundred events take up to ${kilobytes(fiveHundred)} KB`,
  )
  expect(Math.max(contract, wallet)).toBeLessThan(STATE_BYTES)
})

async function bundledRecords(): Promise<EventRecord[]> {
  const names = (await readdir(DATA)).filter(name => name.endsWith('.ndjson'))
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents(names.map(name => path.join(DATA, name))))
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  return records.sort((a, b) => compareByTime(placeOf(a), placeOf(b)))
}

function listsBy(records: readonly EventRecord[], keysOf: (record: EventRecord) => readonly string[]) {
  const lists = new Map<string, EventRecord[]>()
  for (const record of records)
    for (const key of keysOf(record)) lists.set(key, [...(lists.get(key) ?? []), record])
  return [...lists.values()]
}

/** Returns the bytes of the largest page as a JSON list: the records, a comma after each except the last, and `[]`. */
function largestPage(lists: readonly EventRecord[][], limit: number): number {
  const pages = lists.flatMap(list => {
    const ends = [0]
    for (const record of list) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(JSON.stringify(record)) + 1)
    return ends.slice(1).map((end, index) => end - (ends[index + 1 - limit] ?? 0) + 1)
  })
  return Math.max(...pages)
}

const kilobytes = (bytes: number) => Math.round(bytes / 1000)
