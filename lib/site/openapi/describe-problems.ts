import * as z from 'zod/mini'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { parseChanges } from '../../feed/parse-changes.ts'
import { chooseFormat } from '../../http/formats/formats.ts'
import { type Problem, problemOf, problemResponse } from '../../http/problem-response.ts'
import { MethodNotAllowedError, NotFoundError, PROBLEMS } from '../../http/problems.ts'
import type { Resource } from '../../query/endpoints.ts'
import { CursorExpiredError, NotIndexedYetError, StoreUnavailableError } from '../../query/errors.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { refuseParameters } from '../status/create-status-handler.ts'
import { describeHeaders, meaning } from './describe-headers.ts'
import { EXPLANATIONS } from './explanations.ts'

const fields = {
  type: meaning(
    z.string().check(z.regex(new RegExp(`/docs#(${Object.keys(PROBLEMS).join('|')})$`))),
    'The kind of problem, as a link to its cause and remedy on the documentation page.',
  ),
  title: meaning(z.enum(Object.values(PROBLEMS).map(({ title }) => title)), 'The kind of problem, in words.'),
  status: meaning(
    z.literal(Object.values(PROBLEMS).map(({ status }) => status)),
    'The status of the answer.',
  ),
  detail: meaning(z.string(), 'What is wrong with this request.'),
  instance: meaning(z.string().check(z.minLength(1)), 'The request’s id, as in `X-Request-Id`.'),
}
const problemSchema = z.strictObject(fields)
const invalidQuerySchema = z.strictObject({
  ...fields,
  detail: meaning(
    z.string(),
    'The sentences of `errors`, each with its parameter, joined by `; `. If they exceed about 1,000 characters, `detail` contains only the first sentences and the number of the others.',
  ),
  errors: meaning(
    z
      .array(
        z.strictObject({
          parameter: meaning(
            z.string(),
            'The name of the parameter, as in the request. A very long name is shortened.',
          ),
          message: meaning(
            z.string().check(z.minLength(1)),
            'What is wrong with the parameter, or which value is expected.',
          ),
        }),
      )
      .check(z.minLength(1)),
    'The problems of all parameters, at most 200. If there are more, `detail` says so.',
  ),
})
z.globalRegistry.add(problemSchema, { id: 'Problem', description: 'An error, in the format of RFC 9457.' })
z.globalRegistry.add(invalidQuerySchema, {
  id: 'InvalidQuery',
  description: 'The problems of a rejected request, in the format of RFC 9457.',
})

const BASE_URL = 'https://events.example.org'
const USER = `0x${'1'.repeat(40)}`
const REQUEST_ID = '8b0c1e6e-3a57-4c0f-9a53-2f3f6c1d9b11'

/** If a kind of error has several examples, each needs its own `name`. */
function describeProblem(error: unknown, name?: string): ZodOpenApiResponseObject {
  const told = problemOf(error)
  const { kind } = told
  const { title, headers = {} } = PROBLEMS[kind]
  const { cause, remedy } = EXPLANATIONS[kind]
  const answer = problemResponse(told, { baseUrl: BASE_URL, instance: REQUEST_ID })
  return {
    id: (name ?? kind).replace(/(^|-)(.)/g, (_, __, letter: string) => letter.toUpperCase()),
    description: `${title}. ${cause} ${remedy}`,
    headers: describeHeaders('problem', Object.keys(headers)),
    content: {
      'application/json': {
        schema: kind === 'invalid-query' ? invalidQuerySchema : problemSchema,
        example: JSON.parse(answer.body) as Problem,
      },
    },
  }
}

export const describeRefusal = (endpoint: Resource | 'status'): ZodOpenApiResponseObject =>
  describeProblem(
    errorOf(() => refuse(endpoint)),
    `${endpoint}-invalid-query`,
  )

function refuse(endpoint: Resource | 'status'): void {
  const parameters = [
    ['limit', '0'],
    ['evnt', 'Minted'],
    ['blockNumber', '1,desc'],
  ] as const
  if (endpoint === 'status') refuseParameters([['network', 'base']])
  else if (endpoint === 'changes') parseChanges({ parameters })
  else parseQuery({ endpoint, user: USER, parameters })
}

function errorOf(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}

/** The error responses that do not depend on the request, with examples that the service's own code generates. */
export const PROBLEM_RESPONSES = {
  notFound: describeProblem(new NotFoundError()),
  methodNotAllowed: describeProblem(new MethodNotAllowedError()),
  notAcceptable: describeProblem(errorOf(() => chooseFormat('text/html'))),
  cursorExpired: describeProblem(new CursorExpiredError()),
  notIndexedYet: describeProblem(
    new NotIndexedYetError([{ network: 'base', minBlock: 34_160_634, indexedBlock: 34_160_630 }]),
  ),
  internalError: describeProblem(new Error('anything')),
  storeUnavailable: describeProblem(new StoreUnavailableError(undefined)),
}
