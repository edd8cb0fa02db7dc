import { nextUrl } from '../../support/http/ask.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf, FIRST_KINDS } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const EVENTS = eventSetOf({ blocks: 8, events: 3, crowd: 60, kinds: FIRST_KINDS }, 3)
/** A block with several events, so that a page with only its first event has a next page. */
const BLOCK = EVENTS.map(({ blockNumber }) => blockNumber).find((block, at, all) => all.indexOf(block) < at)
const served = useServedEvents(engine, EVENTS)

describe('a cursor', () => {
  const request = tokenEvents([['limit', '5']])

  async function cursorOf(first: ApiRequest): Promise<string> {
    const url = nextUrl(await served.ask(first, 'http-api'))
    return new URL(String(url)).searchParams.get('cursor') ?? ''
  }

  const withCursor = (of: ApiRequest, cursor: string): ApiRequest => ({
    ...of,
    query: [...of.query, ['cursor', cursor]],
  })

  const ask = (of: ApiRequest, cursor: string) => served.ask(withCursor(of, cursor), 'http-api')

  test.each<[string, ApiRequest]>([
    ['another filter', tokenEvents([ofKind('TransferSingle')])],
    ['another order', tokenEvents([['createdAt', 'asc']])],
    ['an order by block', tokenEvents([['blockNumber', 'desc']])],
    ['another block', tokenEvents([['blockNumber', '5']])],
    ['the other endpoint', userEvents(USER)],
    ['a value that nothing matches', tokenEvents([['from', 'x'.repeat(40)]])],
    ['filters that exclude each other', tokenEvents(both('creator', 'from'))],
  ])('is refused with %s', async (_, other) => {
    const cursor = await cursorOf(request)

    expect(parametersOf(problemsOf(await ask(other, cursor)))).toEqual(['cursor'])
  })

  test('of one user is refused for another', async () => {
    const cursor = await cursorOf(userEvents(USER, [['limit', '1']]))

    expect(parametersOf(problemsOf(await ask(userEvents(ADDRESS_POOL[3]), cursor)))).toEqual(['cursor'])
  })

  test('of the token-events of an address is refused for its user-events', async () => {
    const cursor = await cursorOf(tokenEvents(`address=${USER}&limit=1`))

    expect(parametersOf(problemsOf(await ask(userEvents(USER), cursor)))).toEqual(['cursor'])
  })

  test.each(['0', '5', '000'])('is refused together with skip=%s', async skip => {
    const cursor = await cursorOf(request)
    const problems = problemsOf(await ask(tokenEvents([['skip', skip]]), cursor))

    expect(problems).toEqual([
      {
        parameter: 'cursor',
        message: 'cannot be combined with skip: the cursor already determines where to continue',
      },
    ])
  })

  test('is refused when given twice', async () => {
    const cursor = await cursorOf(request)
    const twice = withCursor(withCursor(request, cursor), cursor)

    expect(parametersOf(problemsOf(await served.ask(twice, 'http-api')))).toEqual(['cursor'])
  })

  test('goes on with any limit', async () => {
    const cursor = await cursorOf(request)
    const all = await served.ask(tokenEvents([['limit', '25']]), 'http-api')
    const rest = await ask(tokenEvents([['limit', '20']]), cursor)

    expect(rest.body).toEqual((all.body as unknown[]).slice(5))
  })

  test.each<[string, ApiRequest, ApiRequest]>([
    ['the default order spelt out', tokenEvents(), tokenEvents([['createdAt', 'desc']])],
    ['other letters', tokenEvents([['to', USER]]), tokenEvents([['to', USER.replaceAll('b', 'B')]])],
    [
      'leading zeros',
      tokenEvents([['blockNumber', `${BLOCK}`]]),
      tokenEvents([['blockNumber', `00${BLOCK}`]]),
    ],
    [
      'parameters in another order',
      tokenEvents([['createdAt', 'asc'], ofKind('Minted')]),
      tokenEvents([ofKind('Minted'), ['createdAt', 'asc']]),
    ],
  ])('goes on when the same is asked with %s', async (_, first, second) => {
    const url = nextUrl(await served.ask({ ...first, query: [...first.query, ['limit', '1']] }, 'http-api'))
    const cursor = new URL(String(url)).searchParams.get('cursor') ?? ''

    expect((await ask(second, cursor)).text).toBe((await ask(first, cursor)).text)
    expect((await ask(second, cursor)).status).toBe(200)
  })
})

function both(...names: string[]): ApiRequest['query'] {
  return names.map(name => [name, USER])
}

function ofKind(kind: string): [string, string] {
  return ['event', kind]
}
