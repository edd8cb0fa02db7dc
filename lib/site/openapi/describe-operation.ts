import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { eventRecordSchema } from '../../events/record.ts'
import { CSV_HEADER } from '../../http/formats/csv.ts'
import { FORMATS, type MediaType } from '../../http/formats/formats.ts'
import type { Endpoint } from '../../query/endpoints.ts'
import { describeHeaders } from './describe-headers.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeRefusal, PROBLEM_RESPONSES } from './describe-problems.ts'
import { MINTS } from './describe-records.ts'
import type { Examples } from './example-records.ts'
import { THROTTLED } from './explanations.ts'

const OPERATIONS = {
  'user-events': {
    operationId: 'listUserEvents',
    summary: 'The events of a user',
    description:
      'Everything that happened on chain to one wallet in any role, the latest first by default. An event must match all filters.',
  },
  'token-events': {
    operationId: 'listTokenEvents',
    summary: 'The events of tokens',
    description:
      'Everything that happened to tokens on all networks, the latest first by default. An event must match all filters, so contradictory filters match nothing.',
  },
}

const pageSchema = z.array(eventRecordSchema).register(z.globalRegistry, {
  id: 'EventPage',
  description:
    'The records of one page, in order. If no event matches, the list is empty, which is not an error.',
})

/**
 * Describes the operation of an endpoint for events. Both endpoints have the same responses, but different parameters.
 */
export function describeOperation(endpoint: Endpoint, examples: Examples): ZodOpenApiOperationObject {
  return {
    ...OPERATIONS[endpoint],
    tags: ['Events'],
    security: [],
    requestParams: describeParameters(endpoint, examples),
    responses: {
      200: page(endpoint, examples),
      304: unchangedPage,
      400: describeRefusal(endpoint),
      406: PROBLEM_RESPONSES.notAcceptable,
      412: PROBLEM_RESPONSES.notIndexedYet,
      ...COMMON_RESPONSES,
    },
  }
}

const page = (endpoint: Endpoint, { byKind, userPage }: Examples): ZodOpenApiResponseObject => {
  const [summary, records] =
    endpoint === 'user-events'
      ? ['The last events of a busy user', userPage]
      : ['One record of each kind', Object.values(byKind)]
  const examplesIn = (type: MediaType) => ({ page: { summary, value: FORMATS[type].write(records) } })
  return {
    description:
      'One page of records, in the format that `format` names or `Accept` prefers: by default a bare JSON list.',
    headers: describeHeaders('page'),
    content: {
      'application/json': { schema: pageSchema, examples: { page: { summary, value: records } } },
      'application/x-ndjson': {
        schema: {
          type: 'string',
          description:
            'One record per line, each as in `EventRecord`, in the order of the page. If no event matches, the body is empty.',
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

const CSV_DESCRIPTION = `CSV in the format of RFC 4180, in UTF-8 without a byte order mark. The header line is always present, and its columns are the same for all kinds of events. An event has one row for each of its token ids, all with the same \`id\`; an event without token ids has a single row, with empty \`tokenId\` and \`quantity\`. ${MINTS} A spreadsheet would run text from the chain as a formula if the text begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a carriage return, so in CSV, such text has a \`'\` in front, while the other formats leave it unchanged.`

/**
 * Describes the 304 response to a conditional request. `headers` are those of the 200 response. `what` names the
 * content.
 */
export function unchanged(id: string, headers: z.ZodMiniObject, what = 'answer') {
  return {
    id,
    description: `The ${what} that \`If-None-Match\` names is still current, so there is no body.`,
    headers: z.omit(headers, { 'Content-Encoding': true }),
  }
}

const unchangedPage = unchanged('Unchanged', describeHeaders('page'))

const throttledSchema = z.object({ message: z.string() }).register(z.globalRegistry, {
  id: 'Throttled',
  description: 'The answer comes from Amazon API Gateway itself.',
  examples: [THROTTLED.body],
})

const throttled: ZodOpenApiResponseObject = {
  id: 'TooManyRequests',
  description: `${THROTTLED.title}. ${THROTTLED.cause} ${THROTTLED.remedy}`,
  content: { 'application/json': { schema: throttledSchema } },
}

export const COMMON_RESPONSES = {
  404: PROBLEM_RESPONSES.notFound,
  405: PROBLEM_RESPONSES.methodNotAllowed,
  429: throttled,
  500: PROBLEM_RESPONSES.internalError,
  503: PROBLEM_RESPONSES.storeUnavailable,
}
