import * as z from 'zod/mini'
import type { EventRecord } from '../events/record.ts'
import type { Answer } from '../query/answer-query.ts'
import type { Endpoint, Resource } from '../query/endpoints.ts'
import { InvalidQueryError, type ParameterProblem, ServiceError } from '../query/errors.ts'
import { PARAMETERS } from '../query/parameters.ts'
import type { ParsedQuery } from '../query/parse-query.ts'
import type { GivenParameters } from '../query/read-parameters.ts'
import { trueOrFalse } from '../query/value-schemas.ts'
import { isObject } from './field-reader.ts'

/** The answer to a direct call, which is an invocation of the function without HTTP. */
export interface DirectAnswer {
  events: EventRecord[]
  /** The cursor of the next page, or null if this page is the last. */
  next: string | null
  partial: boolean
  /** The number of matching records, if the query has `count`. */
  total?: number
  /** A lower bound on the number of matching records. Replaces `total` if counting stopped early. */
  totalAtLeast?: number
  /** The parameters whose values cannot occur in any event. Absent if there are none. */
  unmatchable?: readonly string[]
}

/** The query of a direct call, as far as the payload could be parsed. */
export interface DirectCall<Named extends Resource> {
  endpoint: Named
  problems: ParameterProblem[]
  user?: string
  parameters: GivenParameters
  isSmokeCheck: boolean
}

/** A smoke check found no events, although its query should always find some. */
export class SmokeCheckFailedError extends ServiceError {
  override readonly name = 'SmokeCheckFailed'
  readonly code = 'smoke-check-failed'

  constructor(endpoint: Resource) {
    super(`The smoke check of ${endpoint} found no records`)
  }
}

function createPayloadSchema(endpoint: Resource): z.ZodMiniType {
  const value = z.union([z.string(), z.number()], 'must be a string or a number')
  const query = z.record(
    z.string(),
    z.union(
      [value, z.array(value).check(z.minLength(1, 'must not be an empty list'))],
      'must be a string, a number or a list of them',
    ),
    'must be an object of parameters',
  )
  const common = { query: z.optional(query), smoke: z.optional(z.boolean('must be true or false')) }
  return endpoint === 'user-events'
    ? z.strictObject({ address: z.string('must be the user address, as a string'), ...common })
    : z.strictObject(common)
}

/** The payload schema of each endpoint, created on first use to keep cold starts short. */
const payloadSchemas: Partial<Record<Resource, z.ZodMiniType>> = {}

/**
 * Reads the payload of a direct call, and collects its problems in `problems`, to which the query parser later adds its
 * own. Throws `InvalidQueryError` if the payload is not an object.
 */
export function readDirectCall<Named extends Resource>(endpoint: Named, called: unknown): DirectCall<Named> {
  payloadSchemas[endpoint] ??= createPayloadSchema(endpoint)
  const payload = withTextForBooleans(endpoint, called)
  const result = (payloadSchemas[endpoint] as z.ZodMiniType).safeParse(payload)
  const issues = result.success ? [] : result.error.issues
  if (!isObject(payload)) throw new InvalidQueryError(issues.flatMap(problems))
  const { address, query: given, smoke } = payload
  return {
    endpoint,
    problems: [...issues.flatMap(problems), ...roundedNumbers(endpoint, given)],
    ...(typeof address === 'string' && { user: address }),
    parameters: isObject(given) ? Object.entries(given).flatMap(pairsOf) : [],
    isSmokeCheck: smoke === true,
  }
}

/**
 * Converts booleans to strings, except in parameters that do not accept `true` and `false`, so that a boolean is rejected
 * there. An unknown parameter is converted too, so that the query parser can suggest the name that was probably meant.
 */
function withTextForBooleans(endpoint: Resource, payload: unknown): unknown {
  if (!isObject(payload) || !isObject(payload.query)) return payload
  const known = PARAMETERS[endpoint]
  const isOther = (name: string) => Object.hasOwn(known, name) && known[name]?.schema !== trueOrFalse
  const entries = Object.entries(payload.query).map(([name, value]) => [
    name,
    typeof value === 'boolean' && !isOther(name) ? String(value) : value,
  ])
  return { ...payload, query: Object.fromEntries(entries) }
}

/**
 * Returns the name-value pairs of one parameter. The pairs come from the original payload, because a schema's copy of a
 * record drops names such as `__proto__`, so parameters with these names would be ignored instead of rejected.
 */
const pairsOf = ([name, values]: [string, unknown]): [string, string][] =>
  [values]
    .flat()
    .flatMap(one => (typeof one === 'string' || typeof one === 'number' ? [[name, decimalText(one)]] : []))

/**
 * Returns a problem for each parameter with a number that JavaScript may have rounded, because the caller may have
 * meant another number. In `limit`, rounding makes no difference, because large limits are capped.
 */
const roundedNumbers = (endpoint: Resource, given: unknown): ParameterProblem[] =>
  Object.entries(isObject(given) ? given : {})
    .filter(([name, values]) => [values].flat().some(value => mayMeanAnother(endpoint, name, value)))
    .map(([parameter]) => ({
      parameter,
      message: 'is a number above 2^53 - 1, which JavaScript may have rounded: write it as a string',
    }))

/** Whether the rounded number and the next integer have different meanings for the parameter. */
function mayMeanAnother(endpoint: Resource, name: string, value: unknown): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false
  const known = PARAMETERS[endpoint]
  const [one, next] = [0n, 1n].map(more => {
    const text = String(BigInt(value as number) + more)
    return Object.hasOwn(known, name) ? known[name]?.schema.safeParse(text).data : undefined
  })
  return one !== next
}

interface AnsweredCall extends Pick<ParsedQuery, 'unmatchable'> {
  endpoint: Endpoint
  isSmokeCheck: boolean
}

/** Throws `SmokeCheckFailedError` if a smoke check found no events. */
export function directAnswer(
  { records, next, isPartial, total }: Answer,
  { endpoint, isSmokeCheck, unmatchable }: AnsweredCall,
): DirectAnswer {
  if (isSmokeCheck && records.length === 0) throw new SmokeCheckFailedError(endpoint)
  const { count, isExact } = total ?? {}
  return {
    events: records,
    next: next ?? null,
    partial: isPartial,
    ...(count !== undefined && { [isExact ? 'total' : 'totalAtLeast']: count }),
    ...(unmatchable && { unmatchable }),
  }
}

/**
 * Writes integers without an exponent, because JavaScript would write large integers with an exponent, which no
 * parameter accepts.
 */
const decimalText = (given: string | number) =>
  Number.isInteger(given) ? String(BigInt(given)) : String(given)

function problems(issue: z.core.$ZodIssue): ParameterProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(parameter => ({ parameter, message: 'is not a key of the payload' }))
  }
  const [first, second] = issue.path
  const parameter = String((first === 'query' ? second : first) ?? first ?? 'payload')
  return [{ parameter, message: first === undefined ? 'must be an object' : issue.message }]
}
