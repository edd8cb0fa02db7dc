import { availableParallelism } from 'node:os'
import { median, ratios, table } from '../recorded/statistics.ts'
import { SEED } from './generate-history.ts'
import type { Measured } from './measure-rounds.ts'

/** The measurements as Markdown: a row for each query, a column for each size. */
export function reportScale(
  measured: readonly Measured[],
  { sizes, rounds }: { sizes: readonly number[]; rounds: number },
): string {
  const queries = Map.groupBy(measured, ({ name }) => name)
  return [
    '# As the table grows',
    '',
    `Written by \`npm run bench:scale\`: ${sizes.map(inWords).join(', ')} generated events (seed ${SEED}), each in a table of its own, asked through the embedded engine; every answer is compared with the oracle. A smaller table holds the newest events of a larger one. One wallet and one token have a fifth of all events each. Counts are the same on every machine: *read units* are DynamoDB's for eventually consistent reads, of changes for consistent ones; *calls* are requests to the store; *rounds* are those of them that had to wait for the ones before.`,
    '',
    '## Read units · calls · rounds',
    '',
    table(
      ['query', 'records or count', ...sizes.map(inWords), ''],
      [...queries].map(([name, all]) => [name, records(all), ...all.map(cost), verdict(all)]),
    ),
    '',
    '*Partial*: the reading budget of the request ended, and `Link` goes on from there. A wallet that has fewer than 20,000 events is asked for the page half of them in.',
    '',
    '## Milliseconds',
    '',
    `Medians of ${rounds} interleaved rounds, and × the smallest table: the ratios within a round. On ${availableParallelism()} cores, with Node.js ${process.version}. The times are the embedded engine's, which reads files of this machine in a single thread, and say nothing of DynamoDB's; what they show is whether anything depends on the size of the table.`,
    '',
    table(
      ['query', ...sizes.map(inWords)],
      [...queries].map(([name, all]) => [name, ...all.map(each => time(each, all[0]))]),
    ),
    '',
  ].join('\n')
}

const inWords = (size: number) => size.toLocaleString('en')

/** How many records the pages hold, or how many a count tells. */
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

function time(one: Measured, smallest: Measured = one): string {
  const ms = median(one.ms).toFixed(1)
  return one === smallest ? ms : `${ms} (${median(ratios(one.ms, smallest.ms)).toFixed(2)} ×)`
}
