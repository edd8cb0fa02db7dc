import { type Cell, table } from '../recorded/statistics.ts'
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
    `Written by \`npm run bench:cost\`: generated events (seed ${SEED}), read through the embedded engine. Read units are DynamoDB's for eventually consistent reads. *Floor* is the cost of reading only the returned records and one more record. *Best single* is the cost of reading only the best of the competing lists. *Scan* is the cost of reading the list of the user or of the token (or of all events) in order of time, and filtering it. If a query sorts by block number, a scan reads the whole list.`,
    '## What is stored',
    'The table shows the bundled logs (`infra/local/data`). Storage is what DynamoDB bills for an event: all its items and index entries, plus 100 bytes for each item and entry.',
    table(
      'kind | events | item, median | item, 95 % within | storage | write units',
      items.map(({ kind, events, packed }) => [kind, events, ...formCells(packed)]),
    ),
    'A page of the newest `TransferSingle` costs these read units:',
    table(
      'records | read units',
      pages.map(({ rows, readUnits }) => [rows, readUnits]),
    ),
    '## By plan',
    table(
      'plan | queries | median × floor | worst × floor | worst × best single | most calls | most round trips | median scan ÷ ours',
      [...Map.groupBy(measurements, ({ plan }) => plan)].map(([plan, all]) => planRow(plan, all)),
    ),
    '## Competing lists, random queries',
    'The table shows the first pages of queries with two to four filters, whose values were taken from stored records. *Best* is the cost of reading only the best of the lists, which is known only in hindsight.',
    table('read units of the best list | queries | median × best | 95 % within | worst | all together', [
      competingRow(
        'two and more',
        competing.filter(({ best }) => best >= 2),
      ),
      competingRow(
        'less than two',
        competing.filter(({ best }) => best < 2),
      ),
    ]),
    '## By query',
    table(
      'query | page | plan | returned | rows read | read units | calls | round trips | floor | × floor | best single | scan',
      measurements.map(queryRow),
    ),
    '## Changes',
    'The table shows what a reader of the feed requests, with `limit=500`. All reads are consistent, and therefore cost twice as much as in the tables above. A call that finds nothing costs one read unit.',
    table(
      'turn | changes | read units | calls | round trips | rows read',
      changes.map(one => [one.name, one.changes, one.readUnits, one.calls, one.roundTrips, one.rowsExamined]),
    ),
    '## `skip`',
    table(
      'query | skip | returned | requests | read units | calls | round trips of one request | KB of records transferred',
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

const formCells = ({ median, most, storage, writeUnits }: StoredForm): Cell[] => [
  `${median} B`,
  `${most} B`,
  `${Math.round(storage)} B`,
  writeUnits.toFixed(1),
]

function planRow(plan: string, all: Measurement[]): Cell[] {
  const toFloor = all.map(ratio).sort((a, b) => a - b)
  const toBest = all.flatMap(({ bestSingle, readUnits }) =>
    bestSingle === undefined ? [] : [readUnits / bestSingle],
  )
  const saved = all
    .map(({ baseline, readUnits }) => baseline / Math.max(readUnits, 0.5))
    .sort((a, b) => a - b)
  return [
    plan,
    all.length,
    times(middle(toFloor)),
    times(toFloor.at(-1)),
    toBest.length > 0 ? times(Math.max(...toBest)) : '',
    Math.max(...all.map(({ calls }) => calls)),
    Math.max(...all.map(({ roundTrips }) => roundTrips)),
    times(middle(saved)),
  ]
}

function competingRow(name: string, all: CompetingMeasurement[]): Cell[] {
  const ratios = all.map(({ readUnits, best }) => readUnits / best).sort((a, b) => a - b)
  const sum = (of: (one: CompetingMeasurement) => number) => all.reduce((total, one) => total + of(one), 0)
  return [
    name,
    all.length,
    times(middle(ratios)),
    times(ratios[Math.floor(ratios.length * 0.95)]),
    times(ratios.at(-1)),
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
const middle = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)]
const times = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
