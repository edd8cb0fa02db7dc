import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { directPayload } from '../../support/http/ask.ts'
import { FORMATS } from '../../support/http/http-events.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { expectDetail, type Problem, parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type Endpoint, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { INVALID_QUERIES } from '../../support/requests/invalid-queries.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const served = useServedEvents(engine, eventSetOf({ blocks: 2, events: 2 }, 3))

const failure = (endpoint: Endpoint, payload: unknown): Promise<unknown> =>
  served.invokeWith(endpoint, payload).then(
    () => undefined,
    error => error,
  )

test.each(INVALID_QUERIES.map(invalid => ({ ...invalid, shown: invalid.rawQuery.slice(0, 80) })))(
  '$request.endpoint refuses $shown, over HTTP and in a direct invocation',
  async ({ request, rawQuery, problems }) => {
    for (const format of FORMATS) {
      expect(problemsOf(await served.ask(request, { format, rawQuery }))).toEqual(problems)
    }
    const payload = directPayload({ ...request, query: [...new URLSearchParams(rawQuery)] })
    const message = problems.map(problem => `${problem.parameter}: ${problem.message}`).join('; ')
    expect(await failure(request.endpoint, payload)).toMatchObject({ name: 'InvalidQueryError', message })
  },
)

test('tells of so many unknown parameters and no more, and of everything that is wrong with known ones', async () => {
  const unknown = Array.from({ length: 150 }, (_, index): [string, string] => [`a${index}`, '1'])
  const query: [string, string][] = [...unknown, ['limit', '0'], ['blockNumber', '0']]

  const { status, body } = await served.ask(tokenEvents(query), 'http-api')

  const { detail, errors } = body as { detail: string; errors: Problem[] }
  expect(status).toBe(400)
  expectDetail(detail, errors)
  expect(detail).toMatch(/; \d+ more in errors, and others that are not listed$/)
  expect(parametersOf(errors)).toEqual(
    [...unknown.slice(0, 100).map(([name]) => name), 'limit', 'blockNumber'].toSorted(),
  )
})

test('a detail that is too long ends with a whole sentence and the number of the others', async () => {
  const unknown = Array.from({ length: 6 }, (_, index): [string, string] => [`colour${index}`, '1'])
  const answer = await served.ask(tokenEvents(unknown), 'http-api')

  expect(problemsOf(answer)).toHaveLength(6)
  expect(answer.body).toMatchObject({ detail: expect.stringMatching(/, user; \d more in errors$/) })
})

test.each(['x', USER.slice(0, 41), 'é'.repeat(41)])('refuses the path address %s', async address => {
  for (const format of FORMATS) {
    expect(problemsOf(await served.ask(userEvents(address, [['limit', '0']]), format))).toEqual([
      { parameter: 'address', message: 'must have at least 42 characters' },
      { parameter: 'limit', message: 'must be an integer of at least 1, in plain decimal digits' },
    ])
  }
})

test.each([
  ['limit=5%', 'limit'],
  ['limit=%zz', 'limit'],
  ['event=%ff', 'event'],
  ['=5', ''],
])('refuses the badly encoded query %s', async (rawQuery, parameter) => {
  const problems = problemsOf(await served.ask(tokenEvents(), { format: 'http-api', rawQuery }))

  expect(parametersOf(problems)).toEqual([parameter])
})

describe('a direct invocation', () => {
  const NO_OBJECT = 'payload: must be an object'
  const NO_ADDRESS = 'address: must be the user address, as a string'
  const NO_QUERY = 'query: must be an object of parameters'
  const IN_PATH =
    'address: is not a query parameter of user-events: write the address in the path, or, in a direct invocation, next to query in the payload'

  test.each<[Endpoint, unknown, string]>([
    ['user-events', null, NO_OBJECT],
    ['user-events', [], NO_OBJECT],
    ['user-events', 'x', NO_OBJECT],
    ['user-events', { query: {} }, NO_ADDRESS],
    ['user-events', { address: 'x', query: {} }, 'address: must have at least 42 characters'],
    ['user-events', { address: 42, query: {} }, NO_ADDRESS],
    ['user-events', { address: USER, query: [] }, NO_QUERY],
    ['user-events', { address: USER, query: 'limit=5' }, NO_QUERY],
    ['user-events', { address: USER, query: null }, NO_QUERY],
    ['user-events', { adress: USER, query: {} }, `${NO_ADDRESS}; adress: is not a key of the payload`],
    ['user-events', { address: USER, query: {}, limit: 5 }, 'limit: is not a key of the payload'],
    ['user-events', { address: USER, query: { address: USER } }, IN_PATH],
    ['token-events', { address: USER, query: {} }, 'address: is not a key of the payload'],
    ['token-events', { query: {}, smoke: 'yes' }, 'smoke: must be true or false'],
  ])('of %s with %j fails', async (endpoint, payload, message) => {
    expect(await failure(endpoint, payload)).toMatchObject({ name: 'InvalidQueryError', message })
  })

  const NO_LIMIT = 'limit: must be an integer of at least 1, in plain decimal digits'
  const TOO_LARGE = 'is a number above 2^53 - 1, which JavaScript may have rounded: write it as a string'
  const NO_VALUE = 'must be a string, a number or a list of them'

  test.each([
    [{ limit: 1.5 }, NO_LIMIT],
    [{ address: USER, tokenId: 2 ** 70 }, `tokenId: ${TOO_LARGE}`],
    [{ address: 2 ** 117 }, `address: ${TOO_LARGE}`],
    [{ transactionHash: [2 ** 220] }, `transactionHash: ${TOO_LARGE}`],
    [{ limit: true }, `limit: ${NO_VALUE}`],
    [{ finalised: true }, 'finalised: is not a parameter of token-events; did you mean finalized?'],
    [{ count: 1 }, 'count: must be one of true, false'],
    [{ count: null }, `count: ${NO_VALUE}`],
    [{ limit: {} }, `limit: ${NO_VALUE}`],
    [{ event: 5 }, `event: must be one of ${EVENT_KINDS.join(', ')}`],
    [{ event: [] }, 'event: must not be an empty list'],
    [{ blockNumber: [[5]] }, `blockNumber: ${NO_VALUE}`],
    [{ skip: 2 ** 53 }, 'skip: must be an integer from 0 to 9007199254740991, in plain decimal digits'],
  ])('with the query %j fails', async (query, message) => {
    expect(await failure('token-events', { query })).toMatchObject({ name: 'InvalidQueryError', message })
  })

  test.each([{ limit: 2 ** 70 }, { limit: ['500'] }])(
    'with the query %j has as many events as with any large limit',
    async query => {
      const most = await served.invokeWith('token-events', { query: { limit: 500 } })

      expect(await served.invokeWith('token-events', { query })).toEqual(most)
    },
  )
})
