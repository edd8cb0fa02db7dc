import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { eventRecordSchema } from '../../../lib/events/record.ts'
import { THROTTLED } from '../../../lib/http/docs/throttled.ts'
import { CSV_HEADER } from '../../../lib/http/formats/csv.ts'
import { FORMATS, type MediaType } from '../../../lib/http/formats/formats.ts'
import type { Endpoint } from '../../../lib/query/endpoint.ts'
import { describeHeaders, type HeaderName } from './describe-headers.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeRefusal, PROBLEM_RESPONSES } from './describe-problems.ts'
import { MINTS } from './describe-records.ts'
import type { Examples } from './example-records.ts'

const OPERATIONS = {
  'user-events': {
    operationId: 'listUserEvents',
    summary: 'The events of a user',
    description:
      'Everything that happened on chain to one wallet, in whichever role, the latest first unless an order is given. All filters given must hold.',
  },
  'token-events': {
    operationId: 'listTokenEvents',
    summary: 'The events of tokens',
    description:
      'Everything that happened to tokens, the latest first unless an order is given, over all networks. All filters given must hold; filters that no event can satisfy together are valid, and find nothing.',
  },
}

const pageSchema = z.array(eventRecordSchema)
z.globalRegistry.add(pageSchema, {
  id: 'EventPage',
  description: 'The records of one page, in order. No events is an empty list, never an error.',
})

/** Both operations answer alike; they differ in what they can be asked. */
export function describeOperation(endpoint: Endpoint, examples: Examples): ZodOpenApiOperationObject {
  return {
    ...OPERATIONS[endpoint],
    tags: ['Events'],
    security: [],
    requestParams: describeParameters(endpoint, examples),
    responses: {
      200: page(endpoint, examples),
      304: unchanged,
      400: describeRefusal(endpoint),
      404: PROBLEM_RESPONSES.notFound,
      405: PROBLEM_RESPONSES.methodNotAllowed,
      406: PROBLEM_RESPONSES.notAcceptable,
      412: PROBLEM_RESPONSES.notIndexedYet,
      429: throttled,
      500: PROBLEM_RESPONSES.internalError,
      503: PROBLEM_RESPONSES.storeUnavailable,
    },
  }
}

const PAGE_HEADERS: HeaderName[] = [
  'ETag',
  'Link',
  'X-Partial',
  'X-Total-Count',
  'X-Total-Count-At-Least',
  'X-Indexed-Through',
  'X-Finalized-Through',
  'X-Unmatchable',
  'Server-Timing',
]

const page = (endpoint: Endpoint, { byKind, userPage }: Examples): ZodOpenApiResponseObject => {
  const [summary, records] =
    endpoint === 'user-events'
      ? ['The last events of a busy user', userPage]
      : ['One record of each kind', Object.values(byKind)]
  const examplesIn = (type: MediaType) => ({ page: { summary, value: FORMATS[type].write(records) } })
  return {
    description:
      'One page of records, in the format that `format` names or `Accept` prefers: by default as a bare list. What is to be known about the page is in the headers.',
    headers: describeHeaders(...PAGE_HEADERS, 'Content-Encoding'),
    content: {
      'application/json': { schema: pageSchema, examples: { page: { summary, value: records } } },
      'application/x-ndjson': {
        schema: {
          type: 'string',
          description:
            'One record a line, each as in `EventRecord`, in the order of the page. No events is an empty body.',
        },
        examples: examplesIn('application/x-ndjson'),
      },
      'text/csv': {
        schema: { type: 'string', description: CSV_DESCRIPTION, pattern: `^${CSV_HEADER.trimEnd()}\r\n` },
        examples: examplesIn('text/csv'),
      },
    },
  }
}

const CSV_DESCRIPTION = `RFC 4180, in UTF-8 without a byte order mark. The header line is always there, and its columns are the same for all kinds of events. An event has one row for each of its token ids, all with the same \`id\`; one without token ids has a single row, where \`tokenId\` and \`quantity\` are empty. ${MINTS} A text from the chain that a spreadsheet would run as a formula, because it begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a return, has a \`'\` in front; the other formats have it as it is.`

const unchanged: ZodOpenApiResponseObject = {
  id: 'Unchanged',
  description: 'The answer named by `If-None-Match` is still good; there is no body.',
  headers: describeHeaders(...PAGE_HEADERS),
}

const throttledSchema = z.object({ message: z.string() })
z.globalRegistry.add(throttledSchema, {
  id: 'Throttled',
  description: 'What Amazon API Gateway says by itself.',
  examples: [THROTTLED.body],
})

/** What the gateway answers by itself. */
export const throttled: ZodOpenApiResponseObject = {
  id: 'TooManyRequests',
  description: `${THROTTLED.title}. ${THROTTLED.cause} ${THROTTLED.remedy}`,
  content: { 'application/json': { schema: throttledSchema } },
}
