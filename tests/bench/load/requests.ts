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
  /** Whether that is what the oracle answers, and all of it. */
  isRight(status: number, body: string): boolean
}

/** API Gateway refuses longer ones, and Node.js breaks the connection off. */
const MAX_PATH = 8_000

/** Requests of every kind, three in four of them random, one in eight of these invalid. */
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
        // Spoiled requests may name a format, in which the page is not compared.
        if (expected.status === 400 || expected.format !== undefined || body === right) return true
        if (!isDeepStrictEqual(JSON.parse(body), expected.events)) return false
        right = body
        return true
      },
    }
  })
  return all.filter(({ path }) => path.length <= MAX_PATH)
}
