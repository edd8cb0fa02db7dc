/** `npm run bench:scale` measures the cost of the usual queries as the table grows. */
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { positiveInteger } from '../../support/runner/test-size.ts'
import { openTable } from '../cost/open-table.ts'
import { table as tableOf, writeReport } from '../recorded/report.ts'
import { generateHistory, SEED } from './generate-history.ts'
import { type Measured, measureQueries } from './measure-queries.ts'

const SIZES = (process.env.BENCH_SIZES || '10000,100000,1000000')
  .split(',')
  .flatMap(size => positiveInteger('BENCH_SIZES', size) ?? [])

const history = [...generateHistory(Math.max(...SIZES))]
const measured: Measured[] = []
for (const size of SIZES) {
  const records = history.slice(0, size)
  await using table = await openTable(`scale-${size}`, () => records)
  const store = createDynamoEventStore(table)
  measured.push(...(await measureQueries({ store, table }, records)))
}
/** A row for each query, and a column for each size. */
function reportScale(): string[] {
  const queries = Map.groupBy(measured, ({ name }) => name)
  return [
    '# What queries cost as the table grows',
    `\`npm run bench:scale\` sends the same queries to several tables (${new Intl.ListFormat('en-GB').format(SIZES.map(inWords))} generated events, seed ${SEED}) on dynalite, which emulates DynamoDB, and compares every answer with that of a simple reference implementation. A smaller table has the newest events of a larger one. *The user* is a wallet that takes part in a fifth of all events, and *the token* is a contract that emits a fifth of all events. Each cell has the read units, the calls to the table, and the rounds of calls: calls that are sent in parallel are one round. The read units are those that DynamoDB charges for eventually consistent reads or, for the feed of changes, for consistent reads.`,
    '## Read units · calls · rounds of each query',
    tableOf(
      [
        'query',
        'records returned, or count',
        ...SIZES.map(size => `${inWords(size)} events`),
        'same cost in all tables',
      ].join(' | '),
      [...queries].map(([name, all]) => [name, records(all), ...all.map(cost), verdict(all)]),
    ),
    "*Partial* means that the request used up its read budget and returned a partial page, whose `Link` leads to the rest. If the user has fewer than 20,000 events, the queries *after the newest 10,000* skip half of the user's events instead.",
  ]
}

const inWords = (size: number) => size.toLocaleString('en')

function records(all: readonly Measured[]): string {
  const found = all.map(({ returned, total }) =>
    total ? `${total.isExact ? '' : 'at least '}${inWords(total.count)}` : inWords(returned),
  )
  return [...new Set(found)].join('; ')
}

const cost = ({ cost, isPartial }: Measured) =>
  `${cost.readUnits} · ${cost.calls} · ${cost.roundTrips}${isPartial ? ', partial' : ''}`

const verdict = (all: readonly Measured[]) => (new Set(all.map(cost)).size === 1 ? 'yes' : 'no')

await writeReport('scale', reportScale())
