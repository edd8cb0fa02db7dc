import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { PARAMETERS } from '../../../lib/query/parameters.ts'
import { directPayload } from '../../support/http/ask.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import type { ApiRequest } from '../../support/requests/api-request.ts'
import { INVALID_QUERIES } from '../../support/requests/invalid-queries.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const NO_LIMIT = 'limit: must be an integer of at least 1, in plain decimal digits'
const TOO_LARGE = 'is a number above 2^53 - 1, which JavaScript may have rounded: write it as a string'
const NO_VALUE = 'must be a string, a number or a list of them'
const NO_ADDRESS = 'address: must be the user address, as a string'
const TWO_BLOCKS = 'blockNumber: gives more than one block number to filter by'
const served = useServedEvents(engine, eventSetOf({ blocks: 2, events: 2 }, 3))

describe('a direct invocation', () => {
  const failure = (endpoint: ApiRequest['endpoint'], payload: unknown): Promise<unknown> =>
    served.invokeWith(endpoint, payload).then(
      () => `Accepted: ${JSON.stringify(payload)}`,
      error => error,
    )

  test.each(INVALID_QUERIES.map(invalid => ({ ...invalid, shown: invalid.rawQuery.slice(0, 80) })))(
    'of $request.endpoint fails with the messages of HTTP for $shown',
    async ({ request, rawQuery, problems }) => {
      const asked: ApiRequest = { ...request, query: [...new URLSearchParams(rawQuery)] }
      const error = await failure(request.endpoint, directPayload(asked))

      const messages = problems.map(problem => `${problem.parameter}: ${problem.message}`)
      expect(error).toMatchObject({ name: 'InvalidQueryError', message: messages.join('; ') })
    },
  )

  test.each<[ApiRequest['endpoint'], unknown, string]>([
    ['user-events', null, 'payload: must be an object'],
    ['user-events', [], 'payload: must be an object'],
    ['user-events', 'x', 'payload: must be an object'],
    ['user-events', {}, NO_ADDRESS],
    ['user-events', { query: {} }, NO_ADDRESS],
    ['user-events', { address: 'x', query: {} }, 'address: must have at least 42 characters'],
    ['user-events', { address: 42, query: {} }, NO_ADDRESS],
    ['user-events', { address: USER, query: [] }, 'query: must be an object of parameters'],
    ['user-events', { address: USER, query: 'limit=5' }, 'query: must be an object of parameters'],
    ['user-events', { address: USER, query: null }, 'query: must be an object of parameters'],
    ['user-events', { adress: USER, query: {} }, `${NO_ADDRESS}; adress: is not a key of the payload`],
    ['user-events', { address: USER, query: {}, limit: 5 }, 'limit: is not a key of the payload'],
    [
      'user-events',
      { address: USER, query: { address: USER } },
      'address: is not a query parameter of user-events: write the address in the path, or, in a direct invocation, next to query in the payload',
    ],
    ['token-events', { address: USER, query: {} }, 'address: is not a key of the payload'],
    ['token-events', { query: {}, smoke: 'yes' }, 'smoke: must be true or false'],
    ['token-events', { query: { limit: 1.5 } }, NO_LIMIT],
    ['token-events', { query: { limit: -1 } }, NO_LIMIT],
    ['token-events', { query: { address: USER, tokenId: 2 ** 70 } }, `tokenId: ${TOO_LARGE}`],
    ['token-events', { query: { address: 2 ** 117 } }, `address: ${TOO_LARGE}`],
    ['token-events', { query: { transactionHash: [2 ** 220] } }, `transactionHash: ${TOO_LARGE}`],
    ['token-events', { query: { limit: true } }, `limit: ${NO_VALUE}`],
    ['token-events', { query: { count: 1 } }, 'count: must be one of true, false'],
    ['token-events', { query: { count: null } }, `count: ${NO_VALUE}`],
    ['token-events', { query: { format: 'xml' } }, 'format: must be one of json, ndjson, csv'],
    ['token-events', { query: { limit: null } }, `limit: ${NO_VALUE}`],
    ['token-events', { query: { limit: {} } }, `limit: ${NO_VALUE}`],
    ['token-events', { query: { limit: ['5', '6'] } }, 'limit: must be given only once'],
    ['token-events', { query: { event: 5 } }, `event: must be one of ${EVENT_KINDS.join(', ')}`],
    ['token-events', { query: { event: [] } }, 'event: must not be an empty list'],
    ['token-events', { query: { blockNumber: [5, 6] } }, TWO_BLOCKS],
    ['token-events', { query: { blockNumber: [[5]] } }, `blockNumber: ${NO_VALUE}`],
    [
      'token-events',
      { query: { skip: 2 ** 53 } },
      'skip: must be an integer from 0 to 9007199254740991, in plain decimal digits',
    ],
  ])('of %s with %j fails', async (endpoint, payload, message) => {
    const error = await failure(endpoint, payload)

    expect(error).toMatchObject({ name: 'InvalidQueryError', message })
  })

  test.each<ApiRequest['endpoint']>(['user-events', 'token-events'])(
    'of %s takes true and false for count and finalized, and for nothing else',
    async endpoint => {
      const ofUser = endpoint === 'user-events' && { address: USER }
      const isRefused: string[] = []
      for (const name of Object.keys(PARAMETERS[endpoint])) {
        for (const value of [true, false]) {
          const error = await served.invokeWith(endpoint, { ...ofUser, query: { [name]: value } }).then(
            () => undefined,
            ({ message }: Error) => message,
          )
          if (error === undefined) continue
          expect(error).toContain(`${name}: ${NO_VALUE}`)
          isRefused.push(name)
        }
      }

      const taken = Object.keys(PARAMETERS[endpoint]).filter(name => !isRefused.includes(name))
      expect(taken.toSorted()).toEqual(['count', 'finalized'])
    },
  )

  test('with a limit beyond 2^53 has as many events as with any large limit', async () => {
    const most = await served.invokeWith('token-events', { query: { limit: 500 } })

    expect(await served.invokeWith('token-events', { query: { limit: 2 ** 70 } })).toEqual(most)
  })

  test.each([true, 'true', ['true']])('with %j for count has the total', async count => {
    expect(await served.invokeWith('token-events', { query: { count } })).toMatchObject({
      total: expect.any(Number),
    })
  })

  test('with false for count and finalized asks for neither', async () => {
    const plain = await served.invokeWith('token-events', { query: {} })

    expect(await served.invokeWith('token-events', { query: { count: false, finalized: false } })).toEqual(
      plain,
    )
  })
})
