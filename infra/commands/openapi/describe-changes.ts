import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { countSchema, hashSchema } from '../../../lib/events/field-schemas.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { eventRecordSchema } from '../../../lib/events/record.ts'
import type { Change } from '../../../lib/query/changes/change.ts'
import { describeHeaders, type HeaderName, header, optionalHeader } from './describe-headers.ts'
import { throttled } from './describe-operation.ts'
import { describeChangeParameters } from './describe-parameters.ts'
import { describeRefusal, PROBLEM_RESPONSES } from './describe-problems.ts'
import type { Examples } from './example-records.ts'

const meaning = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema => {
  z.globalRegistry.add(schema, { description })
  return schema
}

const addedSchema = z.strictObject({
  change: z.literal('added'),
  record: eventRecordSchema,
})
const removedSchema = z.strictObject({
  change: z.literal('removed'),
  record: z.strictObject({
    id: meaning(z.string(), 'The `id` of the event, which the copy may not have.'),
    network: meaning(z.enum(NETWORKS), 'The chain that the event happened on.'),
    blockNumber: meaning(z.clone(countSchema), 'The number of the block that has left the chain.'),
    blockHash: meaning(z.clone(hashSchema), 'Its hash.'),
  }),
})
z.globalRegistry.add(addedSchema, {
  id: 'Added',
  description: 'The event is there: store its record, in place of what the copy has of this `id`.',
})
z.globalRegistry.add(removedSchema, {
  id: 'Removed',
  description:
    'The block of the event has left its chain: delete it. Where the event returns in another block, it is added again behind.',
})
const changesSchema: z.ZodMiniType<Change[]> = z.array(
  z.discriminatedUnion('change', [addedSchema, removedSchema]),
)
z.globalRegistry.add(changesSchema, {
  id: 'Changes',
  description: 'What has happened, in the order in which a copy has to apply it.',
})

const HEADERS: HeaderName[] = ['ETag', 'X-Partial', 'X-Indexed-Through', 'X-Unmatchable', 'Server-Timing']

const OWN_HEADERS = {
  Link: header(
    'NextTurn',
    'Where to go on (RFC 8288), always. Store its cursor together with what the changes did to the copy, also where there were none.',
    {
      example: '<https://events.example.org/v1/changes?limit=50&cursor=bFh1c1Ix>; rel="next"',
      pattern: '^<[^<>]+>; rel="next"$',
    },
  ),
  'Retry-After': optionalHeader(
    'AskAgain',
    'Given where nothing was told and nothing is left: the copy is up to date. Seconds to wait before the next turn.',
    { example: '5', pattern: '^[0-9]+$' },
  ),
}

const headersOf = (...names: HeaderName[]) => z.object({ ...describeHeaders(...names).shape, ...OWN_HEADERS })

/** The feed of changes. */
export function describeChanges(examples: Examples): ZodOpenApiOperationObject {
  return {
    operationId: 'listChanges',
    summary: 'What happens to the events, for copies of them',
    description:
      'Everything that happens to the events that are stored, in an order in which a consumer can apply it to a copy of its own: `added` is stored by `id`, `removed` deleted. Who does so holds exactly the events that the service has of `network`, `event`, `address` and `user`, as often as a turn tells nothing more: through reorganisations, older events that are loaded later, and contracts that are added. What is told twice does no harm. With `user`, removals of all users’ events are told: a deletion that finds nothing does no harm either. An empty answer without `X-Partial` says that the copy is up to date; ask again after `Retry-After`.',
    tags: ['Changes'],
    security: [],
    requestParams: describeChangeParameters(examples),
    responses: {
      200: page(examples),
      304: {
        id: 'UnchangedTurn',
        description: 'The answer named by `If-None-Match` is still good; there is no body.',
        headers: headersOf(...HEADERS),
      },
      400: describeRefusal('changes'),
      404: PROBLEM_RESPONSES.notFound,
      405: PROBLEM_RESPONSES.methodNotAllowed,
      410: PROBLEM_RESPONSES.cursorExpired,
      429: throttled,
      500: PROBLEM_RESPONSES.internalError,
      503: PROBLEM_RESPONSES.storeUnavailable,
    },
  }
}

function page({ byKind: { TransferSingle } }: Examples): ZodOpenApiResponseObject {
  const { id, network, blockNumber, blockHash } = TransferSingle
  const removed = { change: 'removed', record: { id, network, blockNumber, blockHash } }
  return {
    description: 'The changes of one turn, as a bare list. Where to go on is in `Link`.',
    headers: headersOf(...HEADERS, 'Content-Encoding'),
    content: {
      'application/json': {
        schema: changesSchema,
        examples: {
          reorganised: {
            summary: 'An event whose block was replaced, and its return in another block',
            value: [removed, { change: 'added', record: TransferSingle }],
          },
          upToDate: { summary: 'Nothing more to tell', value: [] },
        },
      },
    },
  }
}
