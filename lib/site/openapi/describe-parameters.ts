import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { placeOf } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { encodeFeedCursor } from '../../feed/feed-cursor.ts'
import { parseChanges } from '../../feed/parse-changes.ts'
import { encodeCursor } from '../../query/cursor.ts'
import type { Endpoint, Resource } from '../../query/endpoints.ts'
import { FILTER_NAMES, FILTERS, filterOf, USER_IN_PATH } from '../../query/filters.ts'
import {
  blockNumberSchema,
  type CHANGE_PARAMETERS,
  DEFAULT_LIMIT,
  PARAMETERS,
  type PageParameter,
} from '../../query/parameters.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { DIRECTIONS } from '../../query/value-schemas.ts'
import type { Examples } from './example-records.ts'

/**
 * Omits `skip=0`, because a client may send every documented default, and the service rejects `skip` with a `cursor`.
 */
const DEFAULTS: Partial<Record<string, number>> = { limit: DEFAULT_LIMIT }

/** Describes each parameter by its meaning, an example, and the schema with which the service parses the parameter. */
export function describeParameters(
  endpoint: Endpoint,
  examples: Examples,
): NonNullable<ZodOpenApiOperationObject['requestParams']> {
  const parameters = { query: describeQuery(endpoint, exampleValues(endpoint, examples)) }
  return endpoint === 'user-events' ? { path: pathOf(examples), ...parameters } : parameters
}

export function describeChangeParameters(
  examples: Examples,
): NonNullable<ZodOpenApiOperationObject['requestParams']> {
  const { scopeKey } = parseChanges({ parameters: [] })
  const [last] = examples.userPage
  const places = { [last.network]: placeOf(last) }
  const values = {
    ...filterExamples('changes', examples),
    ...({
      from: 'beginning',
      finalized: 'true',
      limit: 20,
      cursor: encodeFeedCursor({ seen: 0, reported: 0, places, loads: [], isNew: false }, scopeKey),
    } satisfies Record<keyof typeof CHANGE_PARAMETERS, unknown>),
  }
  return { query: describeQuery('changes', values) }
}

function describeQuery(resource: Resource, values: Record<string, unknown>) {
  const query = Object.entries(PARAMETERS[resource]).map(([name, { schema, meaning, maxValues }]) => {
    const optional = z.optional(name === 'blockNumber' ? blockNumbers() : oneOrMore(schema, maxValues))
    // Some viewers, such as Swagger UI, prefill each parameter with its example from `param`, and would then send every
    // filter.
    const shown = { examples: [values[name]], ...(name in DEFAULTS && { default: DEFAULTS[name] }) }
    z.globalRegistry.add(optional, { param: { description: meaning }, override: shown })
    return [name, optional] as const
  })
  return z.object(Object.fromEntries(query))
}

/**
 * Forbids two directions or two numbers. Uses `not` instead of `allOf`, because client generators can safely ignore
 * `not`.
 */
function blockNumbers() {
  const both = z.array(blockNumberSchema).check(z.minLength(1), z.maxLength(2))
  const twice = [
    { minItems: 2, items: { enum: [...DIRECTIONS] } },
    { minItems: 2, items: { type: 'integer' as const } },
  ]
  z.globalRegistry.add(both, { override: { not: { anyOf: twice } } })
  return z.union([blockNumberSchema, both])
}

/** Accepts one value or a list, so that generated clients accept both. */
const oneOrMore = (schema: z.ZodMiniType<unknown, string>, maxValues: number | undefined) =>
  maxValues === undefined
    ? schema
    : z.union([schema, z.array(schema).check(z.minLength(1), z.maxLength(maxValues))])

function pathOf({ user }: Examples) {
  const { meaning } = FILTERS.user
  z.globalRegistry.add(USER_IN_PATH, { param: { description: meaning, example: user } })
  return z.object({ address: USER_IN_PATH })
}

function exampleValues(endpoint: Endpoint, examples: Examples): Record<string, unknown> {
  const [last] = examples.userPage
  const user = endpoint === 'user-events' && { user: examples.user }
  const { queryKey } = parseQuery({ endpoint, ...user, parameters: [] })
  const from = { at: 'place', place: placeOf(last) } as const
  return {
    ...filterExamples(endpoint, examples),
    blockNumber: [last.blockNumber, 'asc'],
    ...({
      createdAt: 'desc',
      skip: 100,
      limit: 20,
      cursor: encodeCursor({ from, skip: 0 }, queryKey),
      count: 'true',
      format: 'csv',
      minBlock: [`${last.network}:${last.blockNumber}`],
    } satisfies Record<PageParameter, unknown>),
  }
}

function filterExamples(resource: Resource, { byKind, userPage: [last] }: Examples): Record<string, unknown> {
  const records = [byKind.TransferSingle, ...Object.values(byKind)]
  const entries = FILTER_NAMES.map(name => {
    const filter = filterOf(name)
    const record = resource === 'user-events' ? last : records.find(({ event }) => event in filter.fields)
    return [name, record && filterExample(filter, record)]
  })
  return Object.fromEntries(entries)
}

function filterExample(
  { example, fields, maxValues }: ReturnType<typeof filterOf>,
  record: EventRecord,
): unknown {
  if (example !== undefined) return example
  const [field] = fields[record.event] ?? []
  const [value] = [(record as unknown as Record<string, unknown>)[field ?? '']].flat()
  return maxValues === undefined ? value : [value]
}
