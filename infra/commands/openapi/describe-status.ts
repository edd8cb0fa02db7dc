import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { serviceStatus, serviceStatusSchema } from '../../../lib/http/status/service-status.ts'
import { describeHeaders } from './describe-headers.ts'
import { throttled } from './describe-operation.ts'
import { describeStatusRefusal, PROBLEM_RESPONSES } from './describe-problems.ts'

const SECONDS = 1_755_080_415

/** The example is what the service would say of these checkpoints. */
const exampleOf = (version: string) =>
  serviceStatus(version, {
    networks: [
      { network: 'base', blockNumber: 34_160_634, timestamp: SECONDS, finalizedBlock: 34_158_834 },
      { network: 'polygon', blockNumber: 75_190_000, timestamp: SECONDS - 3 },
    ],
    nowMs: (SECONDS + 9) * 1000,
  })

z.globalRegistry.add(serviceStatusSchema, {
  id: 'ServiceStatus',
  description:
    'The version, and of each network that an indexer writes: the last block up to which every event is stored, with its time; the last block that can no longer leave the chain, where that is known; and the seconds from the indexed block’s time until now.',
})

/** The operation that tells how current the service is. */
export const describeStatus = (version: string): ZodOpenApiOperationObject => ({
  operationId: 'readStatus',
  summary: 'How current the service is',
  description:
    'What the service is, and how far each network is indexed. The same is answered at `/` to who does not prefer `text/html`; others are given a page to look things up there.',
  tags: ['Service'],
  security: [],
  responses: {
    200: {
      description: 'The status of this moment; networks are in alphabetical order.',
      headers: describeHeaders('ETag', 'Content-Encoding'),
      content: { 'application/json': { schema: serviceStatusSchema, example: exampleOf(version) } },
    },
    304: {
      id: 'UnchangedStatus',
      description: 'The status named by `If-None-Match` is still good; there is no body.',
      headers: describeHeaders('ETag'),
    },
    400: describeStatusRefusal(),
    404: PROBLEM_RESPONSES.notFound,
    405: PROBLEM_RESPONSES.methodNotAllowed,
    429: throttled,
    500: PROBLEM_RESPONSES.internalError,
    503: PROBLEM_RESPONSES.storeUnavailable,
  },
})
