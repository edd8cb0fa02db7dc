import { nextUrl } from '../../support/http/ask.ts'
import { FORMATS } from '../../support/http/http-events.ts'
import { serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf, FIRST_KINDS } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const EVENTS = eventSetOf({ blocks: 8, events: 3, crowd: 60, kinds: FIRST_KINDS }, 3)
/** A block with several events, so that a page with only the block's first event has a next page. */
const BLOCK = EVENTS.map(({ blockNumber }) => blockNumber).find((block, at, all) => all.indexOf(block) < at)
const served = useServedEvents(engine, EVENTS)

describe('a cursor', () => {
  const request = tokenEvents([['limit', '5']])

  async function cursorOf(first: ApiRequest): Promise<string> {
    const url = nextUrl(await served.ask(first, 'http-api'))
    return new URL(String(url)).searchParams.get('cursor') ?? ''
  }

  const ask = (of: ApiRequest, cursor: string) =>
    served.ask({ ...of, query: [...of.query, ['cursor', cursor]] }, 'http-api')

  test.each<[string, ApiRequest]>([
    ['another user', userEvents(ADDRESS_POOL[3])],
    ['a value that nothing matches', tokenEvents(`from=${'x'.repeat(40)}`)],
    ['filters that exclude each other', tokenEvents(`creator=${USER}&from=${USER}`)],
  ])('is refused with %s', async (_, other) => {
    const cursor = await cursorOf(request)

    expect(parametersOf(problemsOf(await ask(other, cursor)))).toEqual(['cursor'])
  })

  test.each(['0', '5', '000'])('is refused together with skip=%s', async skip => {
    const cursor = await cursorOf(request)
    const problems = problemsOf(await ask(tokenEvents([['skip', skip]]), cursor))

    const message = 'cannot be combined with skip: the cursor already determines where to continue'
    expect(problems).toEqual([{ parameter: 'cursor', message }])
  })

  test.each([
    ['the default order spelt out', '', 'createdAt=desc'],
    ['other letters', `to=${USER}`, `to=${USER.replaceAll('b', 'B')}`],
    ['leading zeros', `blockNumber=${BLOCK}`, `blockNumber=00${BLOCK}`],
    ['parameters in another order', 'createdAt=asc&event=Minted', 'event=Minted&createdAt=asc'],
  ])('goes on when the same is asked with %s', async (_, first, second) => {
    const cursor = await cursorOf(tokenEvents(`${first}&limit=1`))
    const next = await ask(tokenEvents(second), cursor)

    expect(next.text).toBe((await ask(tokenEvents(first), cursor)).text)
    expect(next.status).toBe(200)
  })
})

test.each(['https://events.example.com', 'https://example.com/chain'])(
  'Link leads to the public base URL %s',
  async publicBaseUrl => {
    const published = await serveEvents(engine, EVENTS, { publicBaseUrl })
    for (const format of FORMATS) {
      const url = nextUrl(await published.ask(tokenEvents(), format))

      expect(url?.split('?')[0]).toBe(`${publicBaseUrl}/v1/token-events`)
    }
  },
)
