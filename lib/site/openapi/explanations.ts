import type { ProblemKind } from '../../http/problems.ts'

export interface Explanation {
  cause: string
  remedy: string
}

/** This table is in a separate file, so that the endpoints' functions do not load these texts. */
export const EXPLANATIONS: Record<ProblemKind, Explanation> = {
  'invalid-query': {
    cause:
      'A parameter is unknown to this endpoint, is repeated although it allows only one value, or has a value outside its bounds. No event was read.',
    remedy:
      'The errors field lists every wrong parameter with the expected value, and the detail field sums these problems up in one string. A cursor belongs to one query: after a change of filters or order, start again without a cursor.',
  },
  'not-found': {
    cause:
      'The service does not have this path. A path with a trailing slash, or without the address, is a different path. A query without matching events is not an error: the answer is 200 with an empty list.',
    remedy: 'Use /v1/user-events/{address}, /v1/token-events or /v1/changes, without a slash at the end.',
  },
  'method-not-allowed': {
    cause: 'The path exists, but the service is read-only.',
    remedy: 'Use GET, or HEAD for the headers alone. The Allow header lists the methods.',
  },
  'not-acceptable': {
    cause:
      'The header Accept contains none of the service’s formats, and the request does not choose one with format=…. Another possible cause is a record with too many token ids for an uncompressed CSV answer, if the header Accept-Encoding allows neither br nor gzip.',
    remedy:
      'Accept application/json (the default), application/x-ndjson or text/csv. A caller that cannot set headers can use format=json, ndjson or csv. For a record that is too long for CSV, accept gzip, or use one of the other two formats. A cursor is valid in every format, so you can change the format between pages.',
  },
  'cursor-expired': {
    cause:
      'The cursor of the feed of changes is older than the log of removed events, or belongs to another table, so the service does not know which events a copy must remove.',
    remedy:
      'Empty the copy and start again with from=beginning. Store the cursor of each answer, even of an empty answer. The newest cursor stays valid as long as the service keeps the log (by default, 30 days).',
  },
  'not-indexed-yet': {
    cause:
      'The parameter minBlock names a block that is not indexed yet, so the answer could lack events. The detail field contains the number of the network’s last indexed block (if there is one), which a reorganisation of the chain can lower.',
    remedy:
      'Retry after the number of seconds in Retry-After, until the request succeeds. If the block is far ahead of the last indexed block, look at lagSeconds in /v1/status: it is the age of the newest indexed block.',
  },
  'internal-error': {
    cause: 'The service failed unexpectedly, and logged the reason. Repeated failures alert the operators.',
    remedy:
      'Retry once. If the error persists, report the value of the instance field, which identifies the request in the logs.',
  },
  'store-unavailable': {
    cause: 'The database is overloaded or unreachable at the moment.',
    remedy: 'Retry after the number of seconds in Retry-After. The cursor stays valid while you wait.',
  },
}

/** The error that the gateway (Amazon API Gateway) returns before a request reaches the service. */
export const THROTTLED = {
  status: 429,
  title: 'Too many requests',
  body: { message: 'Too Many Requests' },
  cause:
    'The gateway received more requests than its limit allows. The gateway answers without calling the service, so the body has a different form, and there is no Retry-After.',
  remedy: 'Retry after a second, and wait longer before each further retry.',
}
