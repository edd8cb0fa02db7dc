import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { compareByTime, placeOf } from '../../lib/events/place.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { readEvents } from '../../lib/ingest/load/read-events.ts'

const INFRA = path.resolve(import.meta.dirname, '../../infra')
const DATA = path.join(INFRA, 'local/data')
/** Step Functions' limit for a state: https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const STATE_BYTES = 256 * 1024

let page: string
beforeAll(async () => {
  page = await readFile(path.join(INFRA, 'calling-from-aws.md'), 'utf8')
})

const examples = () => [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text))

test('the policy lets callers invoke all functions that take direct calls', () => {
  const { Resource } = examples().find(({ Action }) => Action === 'lambda:InvokeFunction')

  expect(Resource.map((arn: string) => /-prod-(\w+):live$/.exec(arn)?.[1])).toEqual([
    'userEvents',
    'tokenEvents',
    'changes',
  ])
})

test('the pages of the state machine fit into its states', async () => {
  const { States } = examples().find(({ StartAt }) => StartAt === 'Ask')
  const { limit } = States.NextPage.Parameters.query
  const records = await bundledRecords()
  const lists = [records, ...Object.values(Object.groupBy(records, ({ address }) => address))]

  const largest = Math.max(...lists.flatMap(list => pagesOf(list ?? [], limit).map(bytesOf)))

  const inOneLine = page.replaceAll(/\s+/g, ' ')
  expect(inOneLine).toContain(`input is \`{ "query": { "address": "0x…", "limit": ${limit} } }\``)
  expect(inOneLine).toContain(`a hundred of the bundled events take ${Math.round(largest / 1000)} KB at most`)
  expect(largest).toBeLessThan(STATE_BYTES)
})

async function bundledRecords(): Promise<EventRecord[]> {
  const names = (await readdir(DATA)).filter(name => name.endsWith('.ndjson'))
  const records: EventRecord[] = []
  for await (const { outcome } of readEvents(names.map(name => path.join(DATA, name))))
    if (typeof outcome === 'object' && 'record' in outcome) records.push(outcome.record)
  return records.sort((a, b) => compareByTime(placeOf(a), placeOf(b)))
}

const pagesOf = (list: readonly EventRecord[], limit: number) =>
  list.map((_, index) => list.slice(index, index + limit))

const bytesOf = (page: readonly EventRecord[]) => Buffer.byteLength(JSON.stringify(page))
