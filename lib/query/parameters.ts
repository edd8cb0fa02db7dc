import * as z from 'zod/mini'
import { EVENT_KINDS, ROLES, type Role } from '../events/event-kinds.ts'
import { NETWORKS } from '../events/networks.ts'

/** A larger `limit` is legal and answers this many records: a page of 500 ordinary events is some 400 KB. */
export const MAX_LIMIT = 500
export const DEFAULT_LIMIT = 50
export const BLOCK_NUMBER = { min: 1, max: 100_000_000 } as const
const USER_ADDRESS_LENGTH = { min: 42 } as const
const ADDRESS_LENGTH = { min: 35, max: 55 } as const
const TRANSACTION_HASH_LENGTH = { min: 66 } as const
export const DIRECTIONS = ['asc', 'desc'] as const

export interface WholeNumberBounds {
  min: number
  max?: number
}

/**
 * A number as its plain decimal digits, of any length; bounds are compared without losing any, and can
 * be read from the check's `params`.
 */
const wholeNumber = ({ min, max }: WholeNumberBounds) =>
  z.string().check(
    z.refine(
      text => /^[0-9]+$/.test(text) && BigInt(text) >= min && (max === undefined || BigInt(text) <= max),
      {
        error: `must be an integer ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, in plain decimal digits`,
        params: { min, ...(max !== undefined && { max }) } satisfies WholeNumberBounds,
      },
    ),
  )

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
} as const

export type Endpoint = keyof typeof PARAMETERS

/** All parameters that an endpoint has. */
export const parameterNames = (endpoint: Endpoint): string[] => [
  ...Object.keys(PARAMETERS[endpoint]),
  'blockNumber',
]

/** One value of `blockNumber`, which means a sort direction or a filter by what it says. */
export const blockNumberSchema = z.union(
  [z.enum(DIRECTIONS), z.pipe(wholeNumber(BLOCK_NUMBER), z.transform(Number))],
  `must be asc, desc or an integer from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max}, in plain decimal digits`,
)
