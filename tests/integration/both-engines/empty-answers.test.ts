import { FORMATS } from '../../support/http/http-events.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { ADDRESS_FILTERS, ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const served = useServedEvents(engine, eventSetOf({ blocks: 2, events: 2 }, 3))

const HASH = `0x${'1a'.repeat(32)}`

describe('a valid value that no record has', () => {
  test.each<[string, ApiRequest]>([
    ['path address of 42 characters', userEvents('x'.repeat(42))],
    ['path address of 3,000 characters', userEvents('x'.repeat(3000))],
    ['path address of hex without 0x', userEvents('ab'.repeat(21))],
    ['path address one digit too long', userEvents(`${USER}0`)],
    ...ADDRESS_FILTERS.flatMap((name): [string, ApiRequest][] => [
      [`${name} of 35 characters`, tokenEvents([[name, 'x'.repeat(35)]])],
      [`${name} of 55 characters`, tokenEvents([[name, 'x'.repeat(55)]])],
      [`${name} that is not hex`, tokenEvents([[name, `0x${'g'.repeat(40)}`]])],
    ]),
    ['hash of 66 characters', tokenEvents([['transactionHash', 'x'.repeat(66)]])],
    ['hash of 3,000 characters', userEvents(USER, [['transactionHash', 'x'.repeat(3000)]])],
    ['hash one digit too long', tokenEvents([['transactionHash', `${HASH}0`]])],
    ['creator and sender', tokenEvents(both('creator', 'from'))],
    ['first owner and receiver', tokenEvents(both('initialOwner', 'to'))],
    ['owner and creator', tokenEvents(both('owner', 'creator'))],
    ['owner and operator', tokenEvents(both('owner', 'operator'))],
    ['sender of a minting', tokenEvents([['from', USER], ofKind('Minted')])],
    ['creator of a batch', tokenEvents([['creator', USER], ofKind('MintedBatch')])],
    ['owner after a transfer', tokenEvents([['owner', USER], ofKind('TransferSingle')])],
    ['operator of a handover', tokenEvents([['operator', USER], ofKind('OwnershipTransferred')])],
  ])('is answered with an empty list, without reading: %s', async (_, request) => {
    for (const format of FORMATS) {
      const before = served.readCount()
      const { status, headers, text } = await served.ask(request, format)

      expect({ status, text, link: headers.link }).toEqual({ status: 200, text: '[]', link: undefined })
      expect(served.readCount()).toBe(before)
    }
  })

  test('whereas other queries are read', async () => {
    const before = served.readCount()
    await served.ask(tokenEvents(both('from', 'to')), 'http-api')

    expect(served.readCount()).toBeGreaterThan(before)
  })
})

test.each([
  [`limit=${'9'.repeat(400)}`],
  ['limit=0000000001'],
  ['skip=9007199254740991'],
  ['blockNumber=100000000&blockNumber=asc'],
  ['blockNumber=asc&blockNumber=000000000000000000001'],
  ['&&limit=5&'],
])('accepts %s', async rawQuery => {
  for (const format of FORMATS) {
    const { status } = await served.ask(tokenEvents(), { format, rawQuery })

    expect({ format, status }).toEqual({ format, status: 200 })
  }
})

function both(...names: string[]): ApiRequest['query'] {
  return names.map(name => [name, USER])
}

function ofKind(kind: string): [string, string] {
  return ['event', kind]
}
