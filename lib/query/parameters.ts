import * as z from 'zod/mini'
import { NETWORKS } from '../events/networks.ts'
import { MAX_COUNT } from './budget.ts'
import type { Resource } from './endpoints.ts'
import { BLOCK_NUMBER, FILTER_NAMES, FILTERS, filterOf, SORT_NAMES } from './filters.ts'
import { minBlockSchema } from './min-block/min-block.ts'
import { DIRECTIONS, oneOf, trueOrFalse, wholeNumber } from './value-schemas.ts'

/** A larger `limit` is valid, but is reduced to this number of records. */
export const MAX_LIMIT = 500
export const DEFAULT_LIMIT = 50

/** The first format is the default. */
export const FORMAT_NAMES = ['json', 'ndjson', 'csv'] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

interface Parameter {
  schema: z.ZodMiniType<unknown, string>
  /** The maximum number of different values, by default 1. */
  maxValues?: number
  meaning: string
  /** The parameter's names in other services, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

/**
 * All parameters that are not filters, such as those for the order and the page. The filter `blockNumber` can also set
 * the order.
 */
export const PAGE_PARAMETERS = {
  createdAt: {
    schema: oneOf(DIRECTIONS),
    meaning: 'Sort by the time of the block. By default, the latest events come first.',
    otherNames: SORT_NAMES,
  },
  skip: {
    schema: z.pipe(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }), z.transform(Number)),
    meaning:
      'Skip this many records; none by default. To read further pages, follow `Link`, which neither skips nor repeats a record, and is as fast on the thousandth page as on the first. Cannot be combined with `cursor`.',
    otherNames: ['offset', 'start'],
  },
  limit: {
    schema: z.pipe(
      wholeNumber({ min: 1 }),
      z.transform((digits: string) => Math.min(Number(digits), MAX_LIMIT)),
    ),
    meaning: `Return at most this many records. A page never has more than ${MAX_LIMIT}, even if \`limit\` is higher; \`Link\` leads to the rest.`,
    otherNames: ['pagesize', 'perpage', 'first', 'size', 'take', 'maxresults', 'maxcount'],
  },
  cursor: {
    schema: z.string().check(z.minLength(1, 'must not be empty')),
    meaning:
      'Resume exactly where an earlier page stopped, even if events have been written since then. The cursor is in the `Link` of that page. A cursor never expires, and is valid only with the same filters and order; `limit` may change. Cannot be combined with `skip`.',
    otherNames: ['page', 'before', 'after', 'next', 'continuation', 'pagetoken', 'pagekey'],
  },
  count: {
    schema: trueOrFalse,
    meaning: `If \`true\`, \`X-Total-Count\` contains the number of all matching records. If more than ${MAX_COUNT} match, or if counting costs too much, \`X-Total-Count-At-Least\` contains the number of counted records. \`skip\`, \`limit\` and \`cursor\` do not change the number. Counting reads the records that it counts, so request the count once, and not with every page.`,
    otherNames: ['total', 'totalcount', 'withcount', 'includetotal', 'counttotal', 'withtotal'],
  },
  format: {
    schema: oneOf(FORMAT_NAMES),
    meaning:
      'The format of the page, which takes precedence over `Accept`. Use `format` in address bars and spreadsheets, which cannot send headers. `Link` keeps `format`, and a cursor is valid for every format. Errors are always in JSON.',
    otherNames: ['output', 'outputformat', 'responseformat', 'fmt', 'mediatype', 'contenttype', 'accept'],
  },
  minBlock: {
    schema: minBlockSchema,
    maxValues: NETWORKS.length,
    meaning:
      'A network and a block number, such as `base:34160634`. The answer then contains every matching event of that network up to and including that block. If the network is not indexed that far, the answer is `412`, never a page without these events. The network must have an indexer, because only an indexer records how far a network is indexed; otherwise the answer is `400`. On a local stack, `npm start -- --live` runs an indexer. Separate several networks with commas, or repeat the parameter. `Link` keeps `minBlock`; a cursor is valid with and without it. The service uses consistent reads for the named networks, which cost twice as much.',
    otherNames: ['minindexedblock', 'waitforblock', 'atblock', 'consistentat'],
  },
} satisfies Record<string, Parameter>

export type PageParameter = keyof typeof PAGE_PARAMETERS

/** The values of the parameter `from`, which says where the feed of changes begins if there is no cursor. */
const FEED_STARTS = ['beginning', 'now'] as const

export const CHANGE_PARAMETERS = {
  from: {
    schema: oneOf(FEED_STARTS),
    meaning:
      'Where to start if there is no cursor. `beginning` starts with all stored events, in the order in which they happened on their chains. `now`, the default, starts with the changes from now on. Cannot be combined with `cursor`.',
    otherNames: [],
  },
  finalized: {
    schema: trueOrFalse,
    meaning:
      '`true` reports an event as soon as its block can no longer leave its chain, according to the indexer. The events of a network are not reported if no indexer reports its final block; on a local stack, `npm start -- --live` runs an indexer. Removals are still reported, but delete nothing from a copy of final events, unless a repair has removed a final event. `false`, the default, reports every event as soon as it is stored.',
    otherNames: [],
  },
  limit: {
    ...PAGE_PARAMETERS.limit,
    meaning: `Return at most this many changes. A page never has more than ${MAX_LIMIT}, even if \`limit\` is higher; \`Link\` leads to the rest.`,
  },
  cursor: {
    ...PAGE_PARAMETERS.cursor,
    meaning:
      'Resume where an earlier page stopped. The cursor is in the `Link` of that page, and is valid only with the same `network`, `event`, `address` and `user`; `limit` and `finalized` may change. A cursor is valid as long as the service keeps its log of removed events (by default, 30 days); an older cursor gets a `410`.',
  },
} satisfies Record<string, Parameter>

/** One value of `blockNumber`. `asc` or `desc` is a sort direction, and a number is a filter. */
export const blockNumberSchema = z.union(
  [z.enum(DIRECTIONS), FILTERS.blockNumber.schema],
  `must be asc, desc or an integer from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max}, in plain decimal digits`,
)

/** Each resource's parameters, in the order in which the documentation lists them. */
export const PARAMETERS: Record<Resource, Readonly<Record<string, Parameter>>> = {
  'user-events': { ...filtersOf('user-events'), ...PAGE_PARAMETERS },
  'token-events': { ...filtersOf('token-events'), ...PAGE_PARAMETERS },
  changes: { ...filtersOf('changes'), ...CHANGE_PARAMETERS },
}

function filtersOf(resource: Resource): Record<string, Parameter> {
  const names = FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(resource))
  return Object.fromEntries(names.map(name => [name, filterOf(name)]))
}
