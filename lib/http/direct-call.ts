import * as z from 'zod/mini'
import type { EventRecord } from '../events/record.ts'
import type { Answer } from '../query/answer-query.ts'
import type { Endpoint, Resource } from '../query/endpoint.ts'
import { InvalidQueryError, type ParameterProblem, ServiceError } from '../query/errors.ts'
import { PARAMETERS } from '../query/parameters.ts'
import type { ParsedQuery } from '../query/parse-query.ts'
import type { GivenParameters } from '../query/read-parameters.ts'
import { trueOrFalse } from '../query/value-schemas.ts'

/** What another AWS service gets back when it calls a function itself. */
export interface DirectAnswer {
  events: EventRecord[]
  /** The cursor of the next page; null at the end. */
  next: string | null
  partial: boolean
  /** With `count`: how many records match. */
  total?: number
  /** In its place, where not all were counted: so many, and perhaps more. */
  totalAtLeast?: number
  /** The parameters whose value no event can have, where there are some. */
  unmatchable?: readonly string[]
}

/** What was asked by a direct call, as far as it could be read. */
export interface DirectCall<Named extends Resource> {
  endpoint: Named
  problems: ParameterProblem[]
  user?: string
  parameters: GivenParameters
  isSmokeCheck: boolean
}

/** A smoke check's query, which always has an answer, came back empty. */
export class SmokeCheckFailedError extends ServiceError {
  override readonly name = 'SmokeCheckFailed'
  readonly code = 'smoke-check-failed'

  constructor(endpoint: Resource) {
    super(`The smoke check of ${endpoint} found nothing`)
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

/** Made for the first direct call, to keep cold starts short. */
const payloadSchemas: Partial<Record<Resource, z.ZodMiniType>> = {}

/** Reads the payload of a direct call; what is wrong with its form is told together with the rest. Throws `InvalidQueryError`. */
export function readDirectCall<Named extends Resource>(endpoint: Named, called: unknown): DirectCall<Named> {
  payloadSchemas[endpoint] ??= createPayloadSchema(endpoint)
  const payload = withTextForBooleans(endpoint, called)
  const result = (payloadSchemas[endpoint] as z.ZodMiniType).safeParse(payload)
  const issues = result.success ? [] : result.error.issues
  if (!isObject(payload)) throw new InvalidQueryError(issues.flatMap(problems))
  const { address, query: given, smoke } = payload
  return {
    endpoint,
    problems: [...issues.flatMap(problems), ...roundedIds(given)],
    ...(typeof address === 'string' && { user: address }),
    parameters: isObject(given) ? Object.entries(given).flatMap(readParameter) : [],
    isSmokeCheck: smoke === true,
  }
}

/** The payload with text for the booleans of parameters that are true or false. Any other boolean stays, and is refused. */
function withTextForBooleans(endpoint: Resource, payload: unknown): unknown {
  if (!isObject(payload) || !isObject(payload.query)) return payload
  const known = PARAMETERS[endpoint]
  const isTrueOrFalse = (name: string) => Object.hasOwn(known, name) && known[name]?.schema === trueOrFalse
  const entries = Object.entries(payload.query).map(([name, value]) => [
    name,
    typeof value === 'boolean' && isTrueOrFalse(name) ? String(value) : value,
  ])
  return { ...payload, query: Object.fromEntries(entries) }
}

/**
 * The payload's own entries are read: a schema's copy of a record leaves out names like `__proto__`, and a
 * parameter that is dropped in silence gives wrong answers.
 */
const readParameter = ([name, values]: [string, unknown]): [string, string][] =>
  [values]
    .flat()
    .flatMap(one => (typeof one === 'string' || typeof one === 'number' ? [[name, decimalText(one)]] : []))

/** JSON may hold larger numbers than JavaScript can, and a token id that has been rounded is another token's. */
const roundedIds = (given: unknown): ParameterProblem[] =>
  [isObject(given) ? given.tokenId : []].flat().some(isRounded)
    ? [{ parameter: 'tokenId', message: 'is a number beyond 2^53 - 1: write it as a string' }]
    : []

const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value)

const isObject = (value: unknown): value is Partial<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface AnsweredCall extends Pick<ParsedQuery, 'unmatchable'> {
  endpoint: Endpoint
  isSmokeCheck: boolean
}

/** The answer to a direct call. Throws `SmokeCheckFailedError` when a smoke check found nothing. */
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

/** JavaScript writes large integers with an exponent, which is no parameter's form. */
const decimalText = (given: string | number) =>
  Number.isInteger(given) ? String(BigInt(given)) : String(given)

function problems(issue: z.core.$ZodIssue): ParameterProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(parameter => ({ parameter, message: 'is not a part of the payload' }))
  }
  const [first, second] = issue.path
  const parameter = String((first === 'query' ? second : first) ?? first ?? 'payload')
  return [{ parameter, message: first === undefined ? 'must be an object' : issue.message }]
}
