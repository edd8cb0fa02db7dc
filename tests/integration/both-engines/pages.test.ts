import { nextUrl } from '../../support/http/ask.ts'
import { FORMATS } from '../../support/http/http-events.ts'
import { serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf, walkByLink } from '../../support/http/walk.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const NOBODY = `0x${'9'.repeat(40)}`

describe('where more events match than fit on a page', () => {
  const records = eventSetOf({ blocks: 4, events: 4, crowd: 560 }, 5)
  const served = useServedEvents(engine, records)

  test('50 records are returned when no limit is given', async () => {
    expect(eventsOf(await served.ask(tokenEvents(), 'http-api'))).toHaveLength(50)
  })

  test.each(['501', '100000', '0000501', `1${'0'.repeat(30)}`])(
    'limit=%s returns 500, and Link keeps it for the next page',
    async limit => {
      const pages = await walkByLink(served, tokenEvents([['limit', limit]]), { format: 'http-api' })
      const links = pages.flatMap(page => nextUrl(page) ?? [])

      expect(pages.map(page => eventsOf(page).length)).toEqual([500, records.length - 500])
      expect(links.map(url => new URL(url).searchParams.get('limit'))).toEqual([limit])
    },
  )

  test.each(['2147483648', '9007199254740991'])('skip=%s is behind the end', async skip => {
    const query = `skip=${skip}`
    const ofToken = tokenEvents(`address=${ADDRESS_POOL[2]}&${query}`)
    for (const request of [tokenEvents(query), userEvents(ADDRESS_POOL[2], query), ofToken]) {
      const { status, body, headers } = await served.ask(request, 'rest')

      expect({ status, body, link: headers.link }).toEqual({ status: 200, body: [], link: undefined })
    }
  })

  test.each(['https://events.example.com', 'https://example.com/chain'])(
    'Link leads to the public base URL %s',
    async publicBaseUrl => {
      const published = await serveEvents(engine, records.slice(0, 70), { publicBaseUrl })
      for (const format of FORMATS) {
        const url = nextUrl(await published.ask(tokenEvents(), format))

        expect(url?.split('?')[0]).toBe(`${publicBaseUrl}/v1/token-events`)
      }
    },
  )

  test('a smoke check passes where something is found, and fails where nothing is', async () => {
    const payload = (address: string) => ({ address, query: { limit: 2 }, smoke: true })
    const found = await served.invokeWith('user-events', payload(ADDRESS_POOL[2]))
    const events = eventsOf(await served.ask(userEvents(ADDRESS_POOL[2], 'limit=2'), 'rest'))

    expect(found).toMatchObject({ events })
    const failing = served.invokeWith('user-events', payload(NOBODY))
    await expect(failing).rejects.toMatchObject({ name: 'SmokeCheckFailed' })
  })
})
