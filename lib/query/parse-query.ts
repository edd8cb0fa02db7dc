import type * as z from 'zod/mini'
import { ROLES, type Role } from '../events/event-kinds.ts'
import { decodeCursor, isCursor } from './cursor.ts'
import { InvalidQueryError, type ParameterProblem } from './errors.ts'
import {
  blockNumberSchema,
  DEFAULT_LIMIT,
  type Endpoint,
  PARAMETERS,
  parameterNames,
  userAddressSchema,
} from './parameters.ts'
import { type Plan, planQuery } from './plan-query.ts'
import { fitsPlan } from './position.ts'
import type { Direction, Filters, Order, Question } from './question.ts'
import type { PageStart } from './run-query.ts'
import { unknownParameter } from './unknown-parameter.ts'

export interface QueryInput {
  endpoint: Endpoint
  /** What was found wrong before the parameters could be read. */
  problems?: readonly ParameterProblem[]
  /** The user's address, for `user-events`. */
  user?: string
  /** The query parameters in the order given, decoded, repetitions kept. */
  parameters: readonly (readonly [name: string, value: string])[]
}

export interface ParsedQuery {
  question: Question
  plan: Plan
  /** Names the question; cursors are bound to it. */
  queryKey: string
  start: PageStart
}

/** What is read of a query before its two halves are told apart. */
type Values = { [Name in Single]?: z.output<AllParameters[Name]> } & {
  direction?: Direction
  blockNumber?: number
}
type AllParameters = (typeof PARAMETERS)['user-events'] & (typeof PARAMETERS)['token-events']
type Single = keyof AllParameters

/** Reads a request's parameters. Throws `InvalidQueryError` with every problem there is. */
export function parseQuery(input: QueryInput): ParsedQuery {
  const { endpoint, user, parameters } = input
  const problems: ParameterProblem[] = [...(input.problems ?? [])]
  const report = (parameter: string, message: string) => problems.push({ parameter, message })
  const { given, isMore } = groupByName(endpoint, parameters)
  if (endpoint === 'user-events' && !problems.some(({ parameter }) => parameter === 'address')) {
    for (const message of messages(userAddressSchema.safeParse(user ?? ''))) report('address', message)
  }
  const values = readValues(endpoint, given, report)
  if (given.has('cursor') && given.has('skip')) {
    report('cursor', 'cannot be combined with skip: it already says where to go on')
  }
  const isQuestionKnown = problems.every(({ parameter }) => PAGE_PARAMETERS.has(parameter))
  const parsed = isQuestionKnown ? interpret(endpoint, values, user) : undefined
  if (values.cursor !== undefined && !(parsed ? parsed.start : isCursor(values.cursor))) {
    report('cursor', NO_CURSOR)
  }
  if (problems.length > 0 || !parsed?.start) throw new InvalidQueryError(problems, { isMore })
  return { ...parsed, start: parsed.start }
}

/** Parameters that say which part of the answer is wanted, and nothing of the question. */
const PAGE_PARAMETERS = new Set(['skip', 'limit', 'cursor'])

const NO_CURSOR =
  'is not a cursor of this query: use the address in Link as it is, or begin anew without cursor'

function readValues(
  endpoint: Endpoint,
  given: Map<string, string[]>,
  report: (parameter: string, message: string) => void,
): Values {
  const schemas: Partial<Record<string, z.ZodMiniType<unknown, string>>> = PARAMETERS[endpoint]
  const values: Record<string, unknown> = {}
  for (const [name, texts] of given) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (name === 'blockNumber') {
      const found = new Set<string>()
      Object.assign(
        values,
        readBlockNumber(texts, message => found.add(message)),
      )
      for (const message of found) report(name, message)
    } else if (!schema) {
      report(name, unknownParameter(endpoint, name))
    } else if (texts.length > 1) {
      report(name, 'must be given only once')
    } else {
      const result = schema.safeParse(texts[0])
      if (result.success) values[name] = result.data
      for (const message of messages(result)) report(name, message)
    }
  }
  return values as Values
}

/** `start` is undefined where the cursor is none of this query. */
function interpret(endpoint: Endpoint, values: Values, user: string | undefined) {
  const { skip = 0, limit = DEFAULT_LIMIT, cursor } = values
  const question: Question = { filters: filtersOf(values, user), order: orderOf(values) }
  const plan = planQuery(question)
  const queryKey = `${endpoint} ${JSON.stringify(question)}`
  const state = cursor === undefined ? { from: undefined, skip } : decodeCursor(cursor, queryKey)
  const isUsable = state && (state.from === undefined || fitsPlan(state.from, plan))
  return { question, plan, queryKey, start: isUsable ? { ...state, limit } : undefined }
}

function orderOf({ createdAt, direction }: Values): Order {
  if (createdAt === undefined && direction !== undefined) return { by: 'block', direction }
  const byTime = createdAt ?? 'desc'
  return { by: 'time', direction: byTime, ties: direction ?? byTime }
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const HASH = /^0x[0-9a-f]{64}$/

function filtersOf(values: Values, user: string | undefined): Question['filters'] {
  const { address, transactionHash, network, event, blockNumber } = values
  const roles = Object.fromEntries(
    ROLES.flatMap(role => (values[role] === undefined ? [] : [[role, values[role].toLowerCase()]])),
  ) as Partial<Record<Role, string>>
  const filters: Filters = {
    ...(user !== undefined && { user: user.toLowerCase() }),
    ...(address !== undefined && { token: address.toLowerCase() }),
    ...(network !== undefined && { network }),
    ...(event !== undefined && { event }),
    ...(blockNumber !== undefined && { blockNumber }),
    ...(transactionHash !== undefined && { transactionHash: transactionHash.toLowerCase() }),
    roles,
  }
  const addresses = [filters.user, filters.token, ...Object.values(roles)]
  const matchable =
    addresses.every(value => value === undefined || ADDRESS.test(value)) &&
    (filters.transactionHash === undefined || HASH.test(filters.transactionHash))
  return matchable ? filters : 'unmatchable'
}

/** No endpoint has nearly so many parameters: where there are more, the first ones are wrong enough. */
const MAX_NAMES = 100

/** What was given for each name; beyond `MAX_NAMES` only for those that the endpoint has. */
function groupByName(endpoint: Endpoint, parameters: QueryInput['parameters']) {
  const given = new Map<string, string[]>()
  let isMore = false
  for (const [name, value] of parameters) {
    const values = given.get(name)
    if (values) values.push(value)
    else if (given.size < MAX_NAMES || parameterNames(endpoint).includes(name)) given.set(name, [value])
    else isMore = true
  }
  return { given, isMore }
}

function readBlockNumber(
  texts: readonly string[],
  report: (message: string) => void,
): Pick<Values, 'direction' | 'blockNumber'> {
  const read: Pick<Values, 'direction' | 'blockNumber'> = {}
  for (const text of texts) {
    const result = blockNumberSchema.safeParse(text)
    for (const message of messages(result)) report(message)
    if (!result.success) continue
    const meaning = typeof result.data === 'string' ? 'direction' : 'blockNumber'
    if (read[meaning] !== undefined) report(BLOCK_NUMBER_TWICE[meaning])
    Object.assign(read, { [meaning]: result.data })
  }
  return read
}

const BLOCK_NUMBER_TWICE = {
  direction: 'gives the sort direction (asc or desc) more than once',
  blockNumber: 'gives a block number to filter by more than once',
}

const messages = (result: z.core.util.SafeParseResult<unknown>) =>
  result.success ? [] : [...new Set(result.error.issues.map(issue => issue.message))]
