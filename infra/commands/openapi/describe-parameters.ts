import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { ROLES } from '../../../lib/events/event-kinds.ts'
import { placeOf } from '../../../lib/events/place.ts'
import { encodeCursor } from '../../../lib/query/cursor.ts'
import {
  blockNumberSchema,
  DIRECTIONS,
  type Endpoint,
  PARAMETERS,
  userAddressSchema,
} from '../../../lib/query/parameters.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import type { Examples } from './example-records.ts'
import { DEFAULTS, PARAMETER_MEANINGS, USER_ADDRESS_MEANING } from './parameter-meanings.ts'

/** What is asked for, then its order, then which part of it. */
const READING_ORDER = [
  ...['address', ...ROLES, 'network', 'event', 'transactionHash'],
  ...['blockNumber', 'createdAt', 'skip', 'limit', 'cursor'],
]

/** The parameters of an operation: each schema that the service parses with, its meaning and an example. */
export function describeParameters(
  endpoint: Endpoint,
  examples: Examples,
): NonNullable<ZodOpenApiOperationObject['requestParams']> {
  const values = exampleValues(endpoint, examples)
  const query = Object.entries({ ...PARAMETERS[endpoint], blockNumber: blockNumbers() })
    .toSorted(([a], [b]) => READING_ORDER.indexOf(a) - READING_ORDER.indexOf(b))
    .map(([name, schema]) => {
      const optional = z.optional(schema as z.ZodMiniType)
      const description = PARAMETER_MEANINGS[endpoint][name]
      if (description === undefined) throw new Error(`Nothing says what ${name} means`)
      // In `param`, an example would be filled in by the page, and every filter with it.
      const shown = { examples: [values[name]], ...(name in DEFAULTS && { default: DEFAULTS[name] }) }
      z.globalRegistry.add(optional, { param: { description }, override: shown })
      return [name, optional]
    })
  const parameters = { query: z.object(Object.fromEntries(query)) }
  return endpoint === 'user-events' ? { path: pathOf(examples), ...parameters } : parameters
}

/** At most one direction and one number: as near to it as JSON Schema comes. */
function blockNumbers() {
  const atMostOne = (contains: object) => ({ contains, minContains: 0, maxContains: 1 })
  const list = z.array(blockNumberSchema).check(z.minLength(1), z.maxLength(2))
  z.globalRegistry.add(list, {
    override: { allOf: [atMostOne({ enum: DIRECTIONS }), atMostOne({ type: 'integer' })] },
  })
  return list
}

function pathOf({ user }: Examples) {
  z.globalRegistry.add(userAddressSchema, { param: { description: USER_ADDRESS_MEANING, example: user } })
  return z.object({ address: userAddressSchema })
}

function exampleValues(endpoint: Endpoint, { byKind, user, userPage }: Examples): Record<string, unknown> {
  const { Minted, MintedBatch, TransferSingle } = byKind
  const [last] = userPage
  if (!last) throw new Error('The example page is empty')
  const { queryKey } = parseQuery({
    endpoint,
    ...(endpoint === 'user-events' && { user }),
    parameters: [],
  })
  const from = { at: 'place', place: placeOf(last) } as const
  return {
    creator: Minted.creator,
    initialOwner: Minted.initialOwner,
    owner: MintedBatch.owner,
    operator: TransferSingle.operator,
    from: TransferSingle.from,
    to: TransferSingle.to,
    address: TransferSingle.address,
    transactionHash: TransferSingle.transactionHash,
    network: TransferSingle.network,
    event: TransferSingle.event,
    blockNumber: [last.blockNumber, 'asc'],
    createdAt: 'desc',
    skip: 100,
    limit: 20,
    cursor: encodeCursor({ from, skip: 0 }, queryKey),
  }
}
