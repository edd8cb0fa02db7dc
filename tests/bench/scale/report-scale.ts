import { table } from '../recorded/statistics.ts'
import { SEED } from './generate-history.ts'
import type { Measured } from './measure-queries.ts'

/** A row for each query, and a column for each size. */
export function reportScale(measured: readonly Measured[], sizes: readonly number[]): string[] {
  const queries = Map.groupBy(measured, ({ name }) => name)
  return [
    '# What queries cost as the table grows',
    `\`npm run bench:scale\` sends the same queries to several tables (${new Intl.ListFormat('en-GB').format(sizes.map(inWords))} generated events, seed ${SEED}) on dynalite, which emulates DynamoDB, and compares every answer with that of a simple reference implementation. A smaller table has the newest events of a larger one. *The user* is a wallet that takes part in a fifth of all events, and *the token* is a contract that emits a fifth of all events. Each cell has the read units, the calls to the table, and the rounds of calls: calls that are sent in parallel are one round. The read units are those that DynamoDB charges for eventually consistent reads or, for the feed of changes, for consistent reads.`,
    '## Read units · calls · rounds of each query',
    table(
      [
        'query',
        'records returned, or count',
        ...sizes.map(size => `${inWords(size)} events`),
        'same cost in all tables',
      ].join(' | '),
      [...queries].map(([name, all]) => [name, records(all), ...all.map(cost), verdict(all)]),
    ),
    "*Partial* means that the request used up its read budget and returned a partial page, whose `Link` leads to the rest. If the user has fewer than 20,000 events, the queries *after the newest 10,000* skip half of the user's events instead.",
  ]
}

const inWords = (size: number) => size.toLocaleString('en')

function records(all: readonly Measured[]): string {
  const returned = all.map(({ outcome: { ids, total } }) => {
    if (!total) return inWords(ids.length)
    return `${total.isExact ? '' : 'at least '}${inWords(total.count)}`
  })
  return [...new Set(returned)].join('; ')
}

const cost = ({ outcome: { cost, isPartial } }: Measured) =>
  `${cost.readUnits} · ${cost.calls} · ${cost.roundTrips}${isPartial ? ', partial' : ''}`

const verdict = (all: readonly Measured[]) => (new Set(all.map(cost)).size === 1 ? 'yes' : 'no')
