import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Check } from './check.ts'
import { expectOrder, expectSame, recordsOf, type Service } from './service.ts'

const PAGE = 50
/** Small enough that three of them are filled by nearly every service. */
const SMALL_PAGE = 2
const PAGES = 3
/** No key is known for it and no token was ever sent there. */
const UNUSED_ADDRESS = '0x51c0ffee51c0ffee51c0ffee51c0ffee51c0ffee'

const told = (records: EventRecord[]) => `${records.length} record${records.length === 1 ? '' : 's'}`

/** Questions whose answers are events: status, schema, order, filters and paging. */
export const ANSWER_CHECKS: Check[] = [
  {
    name: 'token-events, newest first',
    async run({ client, sample }) {
      await sample()
      const records = recordsOf(await client.tokenEvents({ limit: PAGE }))
      expectOrder(records, 'createdAt', 'desc')
      return told(records)
    },
  },
  {
    name: 'token-events, lowest block first',
    async run({ client }) {
      const records = recordsOf(await client.tokenEvents({ blockNumber: 'asc', limit: PAGE }))
      expectOrder(records, 'blockNumber', 'asc')
      return told(records)
    },
  },
  { name: 'token-events of a token and a kind', run: askToken },
  { name: 'token-events of a transaction', run: askTransaction },
  { name: 'user-events', run: askUser },
  {
    name: 'user-events of an address without events',
    async run({ client }) {
      const { records, next } = await client.userEvents(UNUSED_ADDRESS)
      expectSame('The answer', [records.length, next ?? null], [0, null])
      return 'empty'
    },
  },
  { name: 'pages', run: walkPages },
  {
    name: 'skip',
    async run({ client }) {
      const first = recordsOf(await client.tokenEvents({ createdAt: 'asc', limit: SMALL_PAGE }))
      const rest = recordsOf(await client.tokenEvents({ createdAt: 'asc', limit: 1, skip: 1 }))
      expectSame('The page', idsOf(rest), idsOf(first.slice(1)))
      return told(rest)
    },
  },
]

const idsOf = (records: EventRecord[]) => records.map(({ id }) => id)

async function askToken({ client, sample }: Service): Promise<string> {
  const { address, event } = await sample()
  const records = recordsOf(await client.tokenEvents({ address, event, limit: PAGE }))
  expectOrder(records, 'createdAt', 'desc')
  if (records.length === 0)
    throw new Error(`there is no ${event} of ${address}, although one is the newest event`)
  for (const record of records) expectSame('A record', [record.address, record.event], [address, event])
  return told(records)
}

async function askTransaction({ client, sample }: Service): Promise<string> {
  const { transactionHash, id } = await sample()
  const records = recordsOf(await client.tokenEvents({ transactionHash, limit: 500 }))
  for (const record of records) expectSame('A record', record.transactionHash, transactionHash)
  if (!idsOf(records).includes(id)) throw new Error(`${id} is not among the events of its transaction`)
  return told(records)
}

async function askUser({ client, sample }: Service): Promise<string> {
  const { network, ...record } = await sample()
  const [user = ''] = usersOf({ network, ...record } as EventRecord)
  const records = recordsOf(await client.userEvents(user, { network, createdAt: 'desc', limit: PAGE }))
  expectOrder(records, 'createdAt', 'desc')
  if (records.length === 0) throw new Error(`${user} has no events, although the newest event names it`)
  for (const each of records) {
    expectSame('A record', [each.network, usersOf(each).includes(user)], [network, true])
  }
  return told(records)
}

/** From the oldest event on, where nothing is added meanwhile. */
async function walkPages({ client }: Service): Promise<string> {
  const query = { createdAt: 'asc' } as const
  const whole = recordsOf(await client.tokenEvents({ ...query, limit: SMALL_PAGE * PAGES }))
  const walked: EventRecord[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await client.tokenEvents({ ...query, limit: SMALL_PAGE, cursor })
    walked.push(...recordsOf(page))
    cursor = page.next
    pages += 1
  } while (cursor !== undefined && walked.length < whole.length)
  expectSame('The walk', idsOf(walked), idsOf(whole))
  return `${pages} pages`
}
