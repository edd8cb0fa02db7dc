import type { ProblemKind } from '../problem.ts'

interface Guide {
  cause: string
  remedy: string
}

/** What every kind of error is caused by, and what its reader can do about it. */
export const PROBLEM_GUIDE: Record<ProblemKind, Guide> = {
  'invalid-query': {
    cause:
      'A parameter has a value outside its bounds, is given twice, or is not one that this endpoint has. Nothing was read.',
    remedy:
      'Go through errors: it names every parameter that is wrong, and says what is expected of it. A cursor belongs to one query: when filters or order change, begin anew without it.',
  },
  'not-found': {
    cause:
      'The path is none of the service’s. A trailing slash makes another path, and so does a missing address. No events is not this error: that is 200 with an empty list.',
    remedy: 'Use /v1/user-events/{address} or /v1/token-events, without a slash at the end.',
  },
  'method-not-allowed': {
    cause: 'The path exists, but the service only reads.',
    remedy: 'Use GET, or HEAD for the headers alone. Allow lists the methods.',
  },
  'internal-error': {
    cause: 'The service failed in a way that it does not foresee. The operators have been told.',
    remedy:
      'Trying again once can do no harm. When the error stays, report the value of instance: it finds the request in the logs.',
  },
  'store-unavailable': {
    cause: 'The database is overloaded, or cannot be reached for the moment.',
    remedy:
      'Send the same request again after the number of seconds in Retry-After. A cursor stays valid however long that takes.',
  },
}

/** What Amazon API Gateway answers by itself, before the service is asked. */
export const THROTTLED = {
  status: 429,
  title: 'Too many requests',
  body: { message: 'Too Many Requests' },
  cause:
    'More requests came than the gateway lets through. It says so itself, before the service is asked: the body is another one, and Retry-After is not sent.',
  remedy: 'Wait a second before the same request is sent again, then longer each time.',
}
