import { type Cell, median, quantile, table } from '../recorded/report.ts'
import { SEED } from './generate-events.ts'
import type { ChangesMeasurement } from './measure-changes.ts'
import type { CompetingMeasurement } from './measure-competing.ts'
import type { measureItems, StoredForm } from './measure-items.ts'
import type { Measurement } from './measure-shape.ts'
import type { SkipMeasurement } from './measure-skips.ts'

export interface CostMeasurements extends Awaited<ReturnType<typeof measureItems>> {
  measurements: Measurement[]
  competing: CompetingMeasurement[]
  skips: SkipMeasurement[]
  changes: ChangesMeasurement[]
}

/** All numbers in the report are counts, so they are equal on every machine. */
export function reportCost({ items, pages, measurements, competing, skips, changes }: CostMeasurements) {
  return [
    '# What queries cost',
    `\`npm run bench:cost\` counts what pages of many queries cost in a table of 122,000 generated events (seed ${SEED}) on dynalite, which emulates DynamoDB. Read units are those that DynamoDB charges for eventually consistent reads. Calls that are sent to the table in parallel count as one round trip. The read units of a page are compared with three other costs. The *floor* is the cost of reading only the page's records and one more record. If several lists each contain all matches of a query, the *cheapest list* is the cost of reading only the cheapest of them. The *scan* is the cost of reading the list of the user or of the token (or of all events) in order of time, and filtering it. If a query sorts by block number, a scan reads the whole list.`,
    '## What is stored',
    'The table shows the sizes of the events in `infra/local/data`. An event is stored in several items. *Storage* is what DynamoDB bills for an event: all its items and index entries, plus 100 bytes for each item and entry. Point-in-time recovery costs extra for the part that is *in the table*, without index entries. The last three columns are for a table with one network.',
    table(
      'kind of event | events | median size of an item | size that 95 % of the items do not exceed | storage per event | in the table | write units per event | one network: storage | one network: in the table | one network: write units',
      items.map(({ kind, events, packed, single }) => [
        ...[kind, events, `${packed.median} B`, `${packed.most} B`],
        ...[packed, single].flatMap(formCells),
      ]),
    ),
    `A page of the newest \`TransferSingle\` events costs ${new Intl.ListFormat('en').format(pages.map(({ rows, readUnits }) => `${readUnits} read units for ${rows} record${rows === 1 ? '' : 's'}`))}.`,
    '## Costs by plan',
    'A [plan](../../lib/query/README.md#plans) is the way in which the service answers a query: it reads *one list*, combines several *competing lists* that each contain all matches, or *merges* lists that each contain a part of the matches. If the two sort keys have opposite directions, *ties are reversed*: events with the same time are returned in the opposite order. With *block runs*, a block or a transaction is read network by network. The plan *nothing* needs no reading, because no event can match. In the columns whose names begin with *highest*, ratios above 100 belong to queries with `count=true`.',
    table(
      'plan | pages | median of read units ÷ floor | highest read units ÷ floor | highest read units ÷ cheapest list | most calls of a page | most round trips of a page | median of scan ÷ read units',
      [...Map.groupBy(measurements, ({ plan }) => plan)].map(([plan, all]) => planRow(plan, all)),
    ),
    '## Random queries with competing lists',
    'The table compares the first pages of random queries with the cheapest of their competing lists, which is known only afterwards. The queries have two to four filters, whose values were taken from stored records.',
    table(
      'read units of the cheapest list | queries | median of read units ÷ cheapest list | ratio that 95 % of the queries do not exceed | highest ratio | ratio of the sums of all queries',
      [
        competingRow(
          'at least 2',
          competing.filter(({ best }) => best >= 2),
        ),
        competingRow(
          'less than 2',
          competing.filter(({ best }) => best < 2),
        ),
      ],
    ),
    '## Costs by query',
    'Each query is named after its filters and its order. The *busy* wallet and the *busy* token have more than 60,000 events each, the *middling* ones about 500, and the *quiet* wallet has two. The *crowded block* has 2,500 events. *Counted* queries have `count=true`. In the orders with *then*, the events with the same time are sorted by block number in the opposite direction. A *deep* page follows a cursor after 4,000 records, or after half of the matches if there are fewer.',
    table(
      'filters; order | page | plan | records returned | rows read | read units | calls | round trips | floor, read units | read units ÷ floor | cheapest list, read units | scan, read units',
      measurements.map(queryRow),
    ),
    '## The feed of changes',
    'The table shows what one request to the [feed of changes](../../lib/feed/README.md) costs, with `limit=500`. All its reads are consistent, and therefore cost twice as much as in the tables above. A call that finds nothing costs one read unit.',
    table(
      'request | changes returned | read units | calls | round trips | rows read',
      changes.map(one => [one.name, one.changes, one.readUnits, one.calls, one.roundTrips, one.rowsExamined]),
    ),
    '## Pages after a `skip`',
    "If the read budget ends a request before the page is complete, the benchmark follows the response's `Link` with further requests. The costs, except for the round trips, are sums over these requests.",
    table(
      'plan: filters | value of `skip` | records returned | requests | read units | calls | most round trips of one request | KB of records transferred',
      skips.map(one => [
        one.name,
        one.skip,
        one.returned,
        one.requests,
        one.readUnits,
        one.calls,
        one.roundTrips,
        Math.round(one.bytes / 1024),
      ]),
    ),
  ]
}

const formCells = ({ storage, tableBytes, writeUnits }: StoredForm): Cell[] => [
  `${Math.round(storage)} B`,
  `${Math.round(tableBytes)} B`,
  writeUnits.toFixed(1),
]

function planRow(plan: string, all: Measurement[]): Cell[] {
  const toFloor = all.map(ratio)
  const toBest = all.flatMap(({ bestSingle, readUnits }) =>
    bestSingle === undefined ? [] : [readUnits / bestSingle],
  )
  return [
    plan,
    all.length,
    times(median(toFloor)),
    times(Math.max(...toFloor)),
    toBest.length > 0 ? times(Math.max(...toBest)) : '',
    Math.max(...all.map(({ calls }) => calls)),
    Math.max(...all.map(({ roundTrips }) => roundTrips)),
    times(median(all.map(({ baseline, readUnits }) => baseline / Math.max(readUnits, 0.5)))),
  ]
}

function competingRow(name: string, all: CompetingMeasurement[]): Cell[] {
  const ratios = all.map(({ readUnits, best }) => readUnits / best)
  const sum = (of: (one: CompetingMeasurement) => number) => all.reduce((total, one) => total + of(one), 0)
  return [
    name,
    all.length,
    ...[median(ratios), quantile(ratios, 0.95), Math.max(...ratios)].map(times),
    times(sum(({ readUnits }) => readUnits) / sum(({ best }) => best)),
  ]
}

const queryRow = (one: Measurement): Cell[] => [
  one.name,
  one.page,
  one.plan,
  one.returned,
  one.examined,
  one.readUnits,
  one.calls,
  one.roundTrips,
  one.floor,
  times(ratio(one)),
  one.bestSingle ?? '',
  one.baseline,
]

const ratio = ({ readUnits, floor }: Measurement) => (readUnits === 0 && floor === 0 ? 1 : readUnits / floor)
const times = (value: number) => value.toFixed(2)
