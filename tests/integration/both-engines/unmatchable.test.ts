import { FORMATS } from '../../support/http/http-events.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { ADDRESS_FILTERS, ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const HASH = `0x${'1a'.repeat(32)}`
/** Both strings are invalid addresses of a plausible length. */
const [SHORT, NO_HEX] = [USER.slice(0, -1), `0x${'g'.repeat(40)}`]
const BASE58 = '1BoatSLRHtKNngkdXEeobR76b53LBbXZ8hQKpWTz5sm'
const NO_HASH = `${HASH}0`
const served = useServedEvents(engine, eventSetOf({ blocks: 2, events: 2 }, 3), { finality: { base: 1 } })

const both = (...names: string[]) => tokenEvents(names.map(name => [name, USER]))
const ofKind = (name: string, kind: string) => tokenEvents(`${name}=${USER}&event=${kind}`)

/** No event matches these requests. `unmatchable` names the parameters whose value is not a valid address or hash. */
const UNMATCHABLE: [unmatchable: string | undefined, request: ApiRequest][] = [
  ['address', userEvents('x'.repeat(42))],
  ['address', userEvents('x'.repeat(3000))],
  ['address', userEvents('ab'.repeat(21))],
  ['address', userEvents(`${USER}0`)],
  ['address, transactionHash', userEvents(NO_HEX, [['transactionHash', NO_HASH]])],
  ['transactionHash', userEvents(USER, [['transactionHash', NO_HASH]])],
  ['transactionHash', userEvents(USER, [['transactionHash', 'x'.repeat(3000)]])],
  ...ADDRESS_FILTERS.flatMap(name =>
    ['x'.repeat(35), 'x'.repeat(55), SHORT, NO_HEX, BASE58].map((value): [string, ApiRequest] => [
      name,
      tokenEvents([[name, value]]),
    ]),
  ),
  ['transactionHash', tokenEvents([['transactionHash', 'x'.repeat(66)]])],
  ['transactionHash', tokenEvents([['transactionHash', NO_HASH]])],
  ['address, from', tokenEvents(`from=${SHORT}&to=${USER}&address=${NO_HEX}`)],
  ['address', tokenEvents([['address', `${SHORT},${NO_HEX}`]])],
  ['address', tokenEvents(`address=${SHORT}&address=${NO_HEX}&tokenId=1`)],
  ['user', tokenEvents(`user=${SHORT}&finalized=true&count=true&skip=5`)],
  ['creator, from', tokenEvents(`from=${SHORT}&creator=${SHORT}`)],
  [undefined, both('creator', 'from')],
  [undefined, both('initialOwner', 'to')],
  [undefined, both('owner', 'creator')],
  [undefined, both('owner', 'operator')],
  [undefined, ofKind('from', 'Minted')],
  [undefined, ofKind('creator', 'MintedBatch')],
  [undefined, ofKind('owner', 'TransferSingle')],
  [undefined, ofKind('operator', 'OwnershipTransferred')],
]

describe('a value that is no address and no hash', () => {
  test.each(UNMATCHABLE)(
    'is named as %s, beside an empty page for which nothing is read: %j',
    async (unmatchable, request) => {
      const before = served.readCount()
      for (const format of FORMATS) {
        const { status, text, headers } = await served.ask(request, format)

        expect([status, text, headers.link]).toEqual([200, '[]', undefined])
        expect(headers['x-unmatchable']).toBe(unmatchable)
        expect(headers['access-control-expose-headers']).toContain('X-Unmatchable')
      }
      expect(served.readCount()).toBe(before)
    },
  )

  test.each(['json', 'ndjson', 'csv'])(
    'is named in %s, in the answer to HEAD, and where the caller has the page',
    async format => {
      const request = tokenEvents(`from=${SHORT}&format=${format}`)
      const { headers } = await served.ask(request, 'http-api')
      const head = await served.ask(request, { format: 'http-api', method: 'HEAD' })
      const ifChanged = { 'if-none-match': headers.etag ?? '' }
      const again = await served.ask(request, { format: 'http-api', headers: ifChanged })

      expect([head.status, again.status]).toEqual([200, 304])
      for (const each of [headers, head.headers, again.headers]) expect(each['x-unmatchable']).toBe('from')
    },
  )
})

test('a value that can match in another letter case, or beside others, is not named, and read', async () => {
  const before = served.readCount()
  const query = `from=0X${USER.slice(2).toUpperCase()}&address=${SHORT},${USER},${NO_HEX}`
  const { status, headers } = await served.ask(tokenEvents(query), 'http-api')

  expect([status, headers['x-unmatchable']]).toEqual([200, undefined])
  expect(await served.invoke(tokenEvents(query))).not.toHaveProperty('unmatchable')
  expect(served.readCount()).toBeGreaterThan(before)
})

test('nothing is named where the request is refused', async () => {
  const { status, headers } = await served.ask(tokenEvents(`from=${SHORT}&limit=0`), 'http-api')

  expect([status, headers['x-unmatchable']]).toEqual([400, undefined])
})
