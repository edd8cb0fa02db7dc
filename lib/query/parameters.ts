import * as z from 'zod/mini'
import type { Endpoint } from './endpoint.ts'
import { BLOCK_NUMBER, FILTER_NAMES, FILTERS, filterOf, SORT_NAMES } from './filters.ts'
import { DIRECTIONS, oneOf, wholeNumber } from './value-schemas.ts'

/** A larger `limit` is legal and answers this many records: a page of 500 ordinary events is some 400 KB. */
const MAX_LIMIT = 500
export const DEFAULT_LIMIT = 50

/** What a parameter is to those who call the service. */
interface Parameter {
  /** Its values, read from one text. */
  schema: z.ZodMiniType<unknown, string>
  meaning: string
  /** What other services call it, in lower case and without `_` and `-`. */
  otherNames: readonly string[]
}

/** A number as its plain decimal digits, however many. The bounds can be read from the check's `params`. */
const wholeNumber = ({ min, max }: WholeNumberBounds) =>
  z.string().check(
    z.refine(text => /^[0-9]+$/.test(text) && isWithin(text, { min, max }), {
      error: `must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, in plain decimal digits`,
      params: { min, ...(max !== undefined && { max }) } satisfies WholeNumberBounds,
    }),
  )

/** Compares digits and makes no number of them: that takes seconds for millions of digits, and may lose some. */
function isWithin(text: string, { min, max }: { min: number; max: number | undefined }): boolean {
  const digits = text.replace(/^0+(?=.)/, '')
  return (
    compareDigits(digits, String(min)) >= 0 && (max === undefined || compareDigits(digits, String(max)) <= 0)
  )
}

const compareDigits = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : Number(a > b))

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

const ADDRESS_MESSAGE = `must have ${ADDRESS_LENGTH.min} to ${ADDRESS_LENGTH.max} characters`
const address = z
  .string()
  .check(z.minLength(ADDRESS_LENGTH.min, ADDRESS_MESSAGE), z.maxLength(ADDRESS_LENGTH.max, ADDRESS_MESSAGE))

export const userAddressSchema = z
  .string()
  .check(z.minLength(USER_ADDRESS_LENGTH.min, `must have at least ${USER_ADDRESS_LENGTH.min} characters`))

const skipSchema = z.pipe(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }), z.transform(Number))
const limitSchema = z.pipe(
  wholeNumber({ min: 1 }),
  z.transform((digits: string) => Math.min(Number(digits), MAX_LIMIT)),
)

/** The parameters that both endpoints have, each read from one text. `blockNumber` is apart: it has two meanings. */
const common = {
  skip: skipSchema,
  limit: limitSchema,
  cursor: z.string().check(z.minLength(1, 'must not be empty')),
  createdAt: oneOf(DIRECTIONS),
  transactionHash: z
    .string()
    .check(
      z.minLength(
        TRANSACTION_HASH_LENGTH.min,
        `must have at least ${TRANSACTION_HASH_LENGTH.min} characters`,
      ),
    ),
  event: oneOf(EVENT_KINDS),
}

/** The query parameters of each endpoint that take one value. */
export const PARAMETERS = {
  'user-events': { ...common, network: oneOf(NETWORKS) },
  'token-events': {
    ...common,
    address,
    ...(Object.fromEntries(ROLES.map(role => [role, address])) as Record<Role, typeof address>),
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
    otherNames: ['pagesize', 'perpage', 'count', 'first', 'size', 'take'],
  },
  cursor: {
    schema: z.string().check(z.minLength(1, 'must not be empty')),
    meaning:
      'Go on exactly where an earlier page stopped, whatever has been written since. Taken from the `Link` of that page; it never expires, and belongs to the same filters and order. `limit` may change. Cannot be combined with `skip`.',
    otherNames: ['page', 'before', 'after', 'next'],
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
