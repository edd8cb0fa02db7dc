import { table } from '../recorded/statistics.ts'
import { SEED } from './generate-history.ts'
import type { Measured } from './measure-queries.ts'

/** A row for each query, and a column for each size. */
export function reportScale(measured: readonly Measured[], sizes: readonly number[]): string[] {
  const queries = Map.groupBy(measured, ({ name }) => name)
  return [
    '# As the table grows',
    `Written by \`npm run bench:scale\`: ${sizes.map(inWords).join(', ')} generated events (seed ${SEED}). Each set of events has its own table, read through the embedded engine. Every answer is compared with the oracle. A smaller table holds the newest events of a larger one. One wallet takes part in a fifth of all events, and one token has a fifth of all events. Counts are the same on every machine. *Read units* are DynamoDB's for eventually consistent reads or, for the feed of changes, for consistent reads. *Calls* are requests to the store. *Rounds* are the requests that had to wait for earlier requests.`,
    '## Read units · calls · rounds',
    table(
      ['query', 'records or count', ...sizes.map(inWords), ''].join(' | '),
      [...queries].map(([name, all]) => [name, records(all), ...all.map(cost), verdict(all)]),
    ),
    '*Partial*: the request used up its reading budget, and `Link` continues from there. If the wallet has fewer than 20,000 events, the queries named *10,000 in* skip half of its events instead.',
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

const verdict = (all: readonly Measured[]) => (new Set(all.map(cost)).size === 1 ? 'flat' : '')
