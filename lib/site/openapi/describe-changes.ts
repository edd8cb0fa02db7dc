import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { NETWORKS } from '../../events/networks.ts'
import { eventRecordSchema } from '../../events/record.ts'
import { countSchema, hashSchema } from '../../events/record-fields.ts'
import type { Change } from '../../feed/turn.ts'
import { describeHeader, describeHeaders, meaning } from './describe-headers.ts'
import { COMMON_RESPONSES, unchanged } from './describe-operation.ts'
import { describeChangeParameters } from './describe-parameters.ts'
import { describeRefusal, PROBLEM_RESPONSES } from './describe-problems.ts'
import type { Examples } from './example-records.ts'

const addedSchema = z.strictObject({ change: z.literal('added'), record: eventRecordSchema })
const removedSchema = z.strictObject({
  change: z.literal('removed'),
  record: z.strictObject({
    id: meaning(z.string(), 'The `id` of the removed event. A copy does not necessarily contain this event.'),
    network: meaning(z.enum(NETWORKS), 'The chain on which the event happened.'),
    blockNumber: meaning(z.clone(countSchema), 'The number of the removed event’s block.'),
    blockHash: meaning(z.clone(hashSchema), 'The hash of the removed event’s block.'),
  }),
})
z.globalRegistry.add(addedSchema, {
  id: 'Added',
  description: 'The event exists: store its record, and replace any record with the same `id`.',
})
z.globalRegistry.add(removedSchema, {
  id: 'Removed',
  description:
    'The event is no longer on its chain, usually because its block left the chain. Delete the record with this `id`. If the event is in another block now, a later change adds it again.',
})
const changesSchema: z.ZodMiniType<Change[]> = z.array(
  z.discriminatedUnion('change', [addedSchema, removedSchema]),
)
z.globalRegistry.add(changesSchema, {
  id: 'Changes',
  description: 'The changes, in the order in which a copy must apply them.',
})

/** In the feed, `Link` and `Retry-After` have different meanings than in other answers. */
const HEADERS = z.object({
  ...describeHeaders('changes').shape,
  Link: describeHeader('Link', {
    id: 'NextTurn',
    answers: ['changes'],
    isRequired: true,
    description:
      'The address of the next page (RFC 8288), always present. Store its cursor together with this page’s changes, even if there are none.',
    value: {
      example: '<https://events.example.org/v1/changes?limit=50&cursor=bFh1c1Ix>; rel="next"',
      pattern: '^<[^<>]+>; rel="next"$',
    },
  }),
  'Retry-After': describeHeader('Retry-After', {
    id: 'AskAgain',
    answers: ['changes'],
    description:
      'The number of seconds to wait before the next request. Present if the page is empty and no changes are left, which means that the copy is up to date.',
    value: { example: '5', pattern: '^[0-9]+$' },
  }),
})

export function describeChanges(examples: Examples): ZodOpenApiOperationObject {
  return {
    operationId: 'listChanges',
    summary: 'Changes to the events, for keeping a copy',
    description:
      'Every change to the stored events, in an order in which a copy can apply them: store each `added` record, and delete each `removed` record by its `id`. An empty page without `X-Partial` means that the copy is up to date: request the next page after `Retry-After` seconds. An up-to-date copy has exactly the service’s events that match `network`, `event`, `address` and `user`, even after reorganisations, loads of older events and the addition of contracts. A change may be reported twice, and removals are reported for all users’ events, even with `user`, but applying a change again, or deleting a record that is not there, does no harm.',
    tags: ['Changes'],
    security: [],
    requestParams: describeChangeParameters(examples),
    responses: {
      200: page(examples),
      304: unchanged('UnchangedTurn', HEADERS),
      400: describeRefusal('changes'),
      410: PROBLEM_RESPONSES.cursorExpired,
      ...COMMON_RESPONSES,
    },
  }
}

function page({ byKind: { TransferSingle } }: Examples): ZodOpenApiResponseObject {
  const { id, network, blockNumber, blockHash } = TransferSingle
  const removed = { change: 'removed', record: { id, network, blockNumber, blockHash } }
  return {
    description: 'One page of changes, as a bare JSON list. `Link` has the address of the next page.',
    headers: HEADERS,
    content: {
      'application/json': {
        schema: changesSchema,
        examples: {
          reorganised: {
            summary: 'An event is removed with its block, and added again in another block',
            value: [removed, { change: 'added', record: TransferSingle }],
          },
          upToDate: { summary: 'No more changes: the copy is up to date', value: [] },
        },
      },
    },
  }
}
