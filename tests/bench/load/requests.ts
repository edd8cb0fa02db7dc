import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { pathOf, rawQueryOf } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { spoiled } from '../../support/requests/spoiled-requests.ts'

export interface LoadRequest {
  path: string
  /**
   * Whether the status is right and the body equals the oracle's whole answer. The body is not compared if the oracle
   * rejects the request, or if the request has the parameter `format`.
   */
  isRight(status: number, body: string): boolean
}

/** API Gateway rejects longer requests, and Node.js closes the connection. */
const MAX_PATH = 8_000

/** Three in four requests are random. One in eight of these is spoiled: parameters are added or changed. */
export function loadRequests(records: EventRecord[], seed: number): LoadRequest[] {
  const shapes = shapesOf(records).map(([, request]) => request)
  const requests = requestsOn(records)
  const random = fc.sample(requests, { seed, numRuns: 210 })
  const wrong = fc.sample(spoiled(requests), { seed, numRuns: 30 })
  const all = [...shapes, ...random, ...wrong].map((request): LoadRequest => {
    const expected = answer(records, request)
    const query = rawQueryOf(request.query)
    let right: string | undefined
    return {
      path: pathOf(request) + (query === '' ? '' : `?${query}`),
      isRight(status, body) {
        if (status !== expected.status) return false
        // A spoiled request may have the parameter `format`. The page of such a request is not compared.
        if (expected.status === 400 || expected.format !== undefined || body === right) return true
        if (!isDeepStrictEqual(JSON.parse(body), expected.events)) return false
        right = body
        return true
      },
    }
  })
  return all.filter(({ path }) => path.length <= MAX_PATH)
}
