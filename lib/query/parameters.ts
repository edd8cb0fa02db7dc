import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'
import { BLOCK_NUMBER, FILTER_NAMES, FILTERS, filterOf, SORT_NAMES } from './filters.ts'
import { DIRECTIONS, oneOf, trueOrFalse, wholeNumber } from './value-schemas.ts'

/** A larger `limit` is legal and answers this many records: a page of 500 ordinary events is some 400 KB. */
export const MAX_LIMIT = 500
export const DEFAULT_LIMIT = 50
/** More matches are not told apart: what is counted is read, and so many of ordinary size take some 330 read units. */
export const MAX_COUNT = 10_000

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
} satisfies Record<string, Parameter>

export type PageParameter = keyof typeof PAGE_PARAMETERS

/** One value of `blockNumber`, which means a sort direction or a filter by what it says. */
export const blockNumberSchema = z.union(
  [z.enum(DIRECTIONS), FILTERS.blockNumber.schema],
  `must be asc, desc or an integer from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max}, in plain decimal digits`,
)

/** The parameters of each endpoint by name, in the order in which the documentation has them. */
export const PARAMETERS: Record<Endpoint, Readonly<Record<string, Parameter>>> = {
  'user-events': parametersOf('user-events'),
  'token-events': parametersOf('token-events'),
}

function parametersOf(endpoint: Endpoint): Record<string, Parameter> {
  const filters = FILTER_NAMES.filter(name => filterOf(name).endpoints.includes(endpoint))
  return { ...Object.fromEntries(filters.map(name => [name, filterOf(name)])), ...PAGE_PARAMETERS }
}
