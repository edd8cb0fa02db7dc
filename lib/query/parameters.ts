import * as z from 'zod/mini'
import { NETWORKS } from '../events/networks.ts'
import type { Resource } from './endpoint.ts'
import { BLOCK_NUMBER, FILTER_NAMES, FILTERS, filterOf, SORT_NAMES } from './filters.ts'
import { minBlockSchema } from './min-block/min-block.ts'
import { DIRECTIONS, oneOf, trueOrFalse, wholeNumber } from './value-schemas.ts'

/** A larger `limit` is legal and answers this many records: a page of 500 ordinary events is some 400 KB. */
export const MAX_LIMIT = 500
export const DEFAULT_LIMIT = 50
/** More matches are not told apart: what is counted is read, and so many of ordinary size take some 330 read units. */
export const MAX_COUNT = 10_000

/** How a page can be written, the first one where nothing is said. */
export const FORMAT_NAMES = ['json', 'ndjson', 'csv'] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

/** What a parameter is to those who call the service. */
interface Parameter {
  /** Its values, read from one text. */
  schema: z.ZodMiniType<unknown, string>
  /** So many different values may be given; otherwise one. */
  maxValues?: number
  meaning: string
  /** What other services call it, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

/**
 * The parameters that say in which order, and which part of an answer; all endpoints have them. The order
 * by block number is not among them: it shares its name with a filter.
 */
export const PAGE_PARAMETERS = {
  createdAt: {
    schema: oneOf(DIRECTIONS),
    meaning: 'Sort by the time of the block. Without any order given, the latest events come first.',
    otherNames: SORT_NAMES,
  },
  skip: {
    schema: z.pipe(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }), z.transform(Number)),
    meaning:
      'Leave out this many records before the page begins; none by default. To read on, follow `Link`, which is exact and as fast on the thousandth page as on the first. Cannot be combined with `cursor`.',
    otherNames: ['offset', 'start'],
  },
  limit: {
    schema: z.pipe(
      wholeNumber({ min: 1 }),
      z.transform((digits: string) => Math.min(Number(digits), MAX_LIMIT)),
    ),
    meaning: `Return at most this many records. A page has at most ${MAX_LIMIT}, however many are asked for; \`Link\` leads to the rest.`,
    otherNames: ['pagesize', 'perpage', 'first', 'size', 'take', 'maxresults'],
  },
  cursor: {
    schema: z.string().check(z.minLength(1, 'must not be empty')),
    meaning:
      'Go on exactly where an earlier page stopped, whatever has been written since. Taken from the `Link` of that page; it never expires, and belongs to the same filters and order. `limit` may change. Cannot be combined with `skip`.',
    otherNames: ['page', 'before', 'after', 'next', 'continuation', 'pagetoken'],
  },
  count: {
    schema: trueOrFalse,
    meaning: `\`true\`: tell in \`X-Total-Count\` how many records match, whatever \`skip\`, \`limit\` and \`cursor\` are; of more than ${MAX_COUNT} only that, in \`X-Total-Count-At-Least\`. Counting reads what it counts: ask for it once, not with every page.`,
    otherNames: ['total', 'totalcount', 'withcount', 'includetotal', 'counttotal', 'withtotal'],
  },
  format: {
    schema: oneOf(FORMAT_NAMES),
    meaning:
      'How the page is written, whatever `Accept` says: for address bars and spreadsheets, which cannot send headers. `Link` keeps it, and a cursor is good for every format. Errors are always JSON.',
    otherNames: ['output', 'outputformat', 'responseformat', 'fmt', 'mediatype', 'contenttype', 'accept'],
  },
  minBlock: {
    schema: minBlockSchema,
    maxValues: NETWORKS.length,
    meaning:
      'A network and a block of it, as `base:34160634`: the answer contains every event of that network up to and including that block. Where the network is not indexed so far, the answer is `412`, and never one without them. Several networks are given in a list with commas, or one by one. `Link` keeps it; a cursor is good with or without it. Such a network is read consistently, which costs twice.',
    otherNames: ['minindexedblock', 'waitforblock', 'atblock', 'consistentat'],
  },
} satisfies Record<string, Parameter>

export type PageParameter = keyof typeof PAGE_PARAMETERS

/** Where the feed of changes begins for who has no cursor yet. */
const FEED_STARTS = ['beginning', 'now'] as const

/** The parameters that say which part of the feed of changes is wanted. */
export const CHANGE_PARAMETERS = {
  from: {
    schema: oneOf(FEED_STARTS),
    meaning:
      'Where to begin without a cursor: `beginning` is with all events that there are, in the order of their chains; `now`, the default, with what happens from now on. Cannot be combined with `cursor`.',
    otherNames: [],
  },
  limit: {
    ...PAGE_PARAMETERS.limit,
    meaning: `Return at most this many changes; ${MAX_LIMIT} are the most, however many are asked for. \`Link\` leads to the rest.`,
  },
  cursor: {
    ...PAGE_PARAMETERS.cursor,
    meaning:
      'Go on where an earlier answer ended. Taken from the `Link` of that answer, and belongs to the same `network`, `event`, `address` and `user`; `limit` may change. It works for as long as the log of removals is kept, 30 days unless the operator says otherwise; an older one is answered `410`.',
  },
} satisfies Record<string, Parameter>

/** One value of `blockNumber`, which means a sort direction or a filter by what it says. */
export const blockNumberSchema = z.union(
  [z.enum(DIRECTIONS), FILTERS.blockNumber.schema],
  `must be asc, desc or an integer from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max}, in plain decimal digits`,
)

/** The parameters of each resource by name, in the order in which the documentation has them. */
export const PARAMETERS: Record<Resource, Readonly<Record<string, Parameter>>> = {
  'user-events': { ...filtersOf('user-events'), ...PAGE_PARAMETERS },
  'token-events': { ...filtersOf('token-events'), ...PAGE_PARAMETERS },
  changes: { ...filtersOf('changes'), ...CHANGE_PARAMETERS },
}

function filtersOf(resource: Resource): Record<string, Parameter> {
  const names = FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(resource))
  return Object.fromEntries(names.map(name => [name, filterOf(name)]))
}
