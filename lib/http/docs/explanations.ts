import type { ProblemKind } from '../problems.ts'

/** What a kind of error is caused by, and what its reader can do about it. */
export interface Explanation {
  cause: string
  remedy: string
}

/** Apart from what errors are answered with, so that the endpoints' functions do not load it. */
export const EXPLANATIONS: Record<ProblemKind, Explanation> = {
  'invalid-query': {
    cause:
      'A parameter has a value outside its bounds, is given twice, or is not one that this endpoint has. No event was read.',
    remedy:
      'Go through errors: it names every parameter that is wrong, and says what is expected of it; detail has the same sentences in one text. A cursor belongs to one query: when filters or order change, begin anew without it.',
  },
  'not-found': {
    cause:
      'The path is none of the service’s. A trailing slash makes another path, and so does a missing address. No events is not this error: that is 200 with an empty list.',
    remedy: 'Use /v1/user-events/{address}, /v1/token-events or /v1/changes, without a slash at the end.',
  },
  'method-not-allowed': {
    cause: 'The path exists, but the service only reads.',
    remedy: 'Use GET, or HEAD for the headers alone. Allow lists the methods.',
  },
  'not-acceptable': {
    cause:
      'Accept names no format that the service has, and the parameter format is not given. Or one record of the page has so many token ids that its rows of CSV exceed what can be sent uncompressed, and Accept-Encoding allows neither br nor gzip.',
    remedy:
      'Accept application/json (which whoever says nothing is given), application/x-ndjson or text/csv; where headers cannot be set, ask with format=json, ndjson or csv. For a record that is too long for CSV, accept gzip, or one of the other two formats: a cursor is good for all of them.',
  },
  'cursor-expired': {
    cause:
      'The cursor of the feed of changes is older than the log that says what was removed since, or belongs to another table. What a copy has to drop can no longer be told.',
    remedy:
      'Empty the copy and begin anew with from=beginning. Store the cursor of each answer, also of an empty one: the newest is never too old for who asks more often than the log is kept, 30 days unless the operator says otherwise.',
  },
  'not-indexed-yet': {
    cause:
      'minBlock names a block that is not indexed yet, so that the answer would lack events. detail says how far the network is indexed. After a reorganisation of the chain that may be less than it was.',
    remedy:
      'Send the same request again after the number of seconds in Retry-After, until it is answered. Where the block is far ahead of detail, look at /v1/status: its lagSeconds tell how far the indexer is behind.',
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
