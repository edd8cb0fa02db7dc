import * as z from 'zod/mini'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { serviceStatus, serviceStatusSchema } from '../status/service-status.ts'
import { describeHeaders } from './describe-headers.ts'
import { COMMON_RESPONSES, unchanged } from './describe-operation.ts'
import { describeRefusal } from './describe-problems.ts'

const SECONDS = 1_755_080_415

const exampleOf = (version: string) =>
  serviceStatus(version, {
    networks: [
      {
        network: 'base',
        blockNumber: 34_160_634,
        timestamp: SECONDS,
        finalizedBlock: 34_158_834,
        auditedThrough: { blockNumber: 34_158_000, timestamp: SECONDS - 5268 },
      },
      { network: 'polygon', blockNumber: 75_190_000, timestamp: SECONDS - 3 },
    ],
    nowMs: (SECONDS + 9) * 1000,
  })

z.globalRegistry.add(serviceStatusSchema, {
  id: 'ServiceStatus',
  description:
    'The version, and the state of each indexed network. `indexedThrough` is the last block up to which every event is stored, with its time. `finalizedBlock` is the last block that can no longer leave the chain, if known. `auditedThrough` is the last block up to which an audit has proven the events complete and correct, if any. `lagSeconds` is the time from the indexed block until now.',
})

export const describeStatus = (version: string): ZodOpenApiOperationObject => ({
  operationId: 'readStatus',
  summary: 'How current the service is',
  description:
    'The version of the service, and how far each network is indexed. `/` returns the same answer to clients that do not prefer `text/html`; other clients get a page for looking up events.',
  tags: ['Service'],
  security: [],
  responses: {
    200: {
      description: 'The current status, with the networks in alphabetical order.',
      headers: describeHeaders('status'),
      content: { 'application/json': { schema: serviceStatusSchema, example: exampleOf(version) } },
    },
    304: unchanged('UnchangedStatus', describeHeaders('status'), 'status'),
    400: describeRefusal('status'),
    ...COMMON_RESPONSES,
  },
})
