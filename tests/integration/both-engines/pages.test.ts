import { nextUrl } from '../../support/http/ask.ts'
import { FORMATS } from '../../support/http/http-events.ts'
import { serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf } from '../../support/http/walk.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const NOBODY = `0x${'9'.repeat(40)}`
/** More than fit on a page. */
const records = eventSetOf({ blocks: 4, events: 4, crowd: 60 }, 5)
const served = useServedEvents(engine, records)

test.each(['https://events.example.com', 'https://example.com/chain'])(
  'Link leads to the public base URL %s',
  async publicBaseUrl => {
    const published = await serveEvents(engine, records, { publicBaseUrl })
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
