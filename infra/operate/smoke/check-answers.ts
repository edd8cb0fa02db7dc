import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { counted } from '../../../lib/kit/printable.ts'
import type { Check } from './service.ts'
import { expectOrder, expectSame, recordsOf, type Service } from './service.ts'

const PAGE = 50
/** The page size for checks of paging. Nearly every service has enough events for three such pages. */
const SMALL_PAGE = 2
const PAGES = 3
/** An address that has no events: nobody knows its key, and nobody has sent a token to it. */
const UNUSED_ADDRESS = '0x51c0ffee51c0ffee51c0ffee51c0ffee51c0ffee'

const told = (records: EventRecord[]) => counted(records.length, 'record')

/** Checks of answers that contain events: their status, schema, order, filters and paging. */
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
  { name: 'token-events of a token id', run: askTokenId },
  { name: 'token-events in a span of time and of blocks', run: askSpan },
  { name: 'token-events of several kinds, counted', run: askSeveral },
  { name: 'user-events', run: askUser },
  {
    name: 'user-events of an address without events',
    async run({ client }) {
      const { records, next } = await client.userEvents(UNUSED_ADDRESS)
      expectSame('The answer', [records.length, next ?? null], [0, null])
      return 'empty'
    },
  },
  { name: 'changes, from the beginning', run: askChanges },
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

async function askTokenId({ client }: Service): Promise<string> {
  const kinds = ['TransferSingle', 'TransferBatch'] as const
  const transfers = await client.tokenEvents({ event: kinds, limit: SMALL_PAGE })
  const transfer = transfers.records.find(({ tokenIds }) => tokenIds.length > 0)
  const [tokenId] = transfer?.tokenIds ?? []
  if (!transfer || tokenId === undefined) return 'no transfer to ask about'
  const records = recordsOf(await client.tokenEvents({ address: transfer.address, tokenId, limit: PAGE }))
  expectOrder(records, 'createdAt', 'desc')
  if (!idsOf(records).includes(transfer.id)) {
    throw new Error(`${transfer.id} is not among the newest events of its token ${tokenId}`)
  }
  return told(records)
}

/** Requests the events in the newest event's second and block. */
async function askSpan({ client, sample }: Service): Promise<string> {
  const { id, createdAt, blockNumber, network } = await sample()
  const span = {
    fromTime: new Date(createdAt),
    toTime: createdAt,
    fromBlock: blockNumber,
    toBlock: blockNumber,
  }
  const records = recordsOf(await client.tokenEvents({ ...span, network, limit: 500 }))
  for (const record of records) {
    expectSame('A record', [record.createdAt, record.blockNumber], [createdAt, blockNumber])
  }
  if (!idsOf(records).includes(id)) throw new Error(`${id} is not among the events of its second and block`)
  return told(records)
}

async function askSeveral({ client, sample }: Service): Promise<string> {
  const { address, event } = await sample()
  const kinds = ['Minted', event] as const
  const page = await client.tokenEvents({ address, event: kinds, count: true, limit: PAGE })
  const records = recordsOf(page)
  for (const record of records) expectSame('A kind', kinds.includes(record.event), true)
  const total = page.total ?? page.totalAtLeast
  if (total === undefined || total < records.length) throw new Error(`the count is ${total}`)
  return `${told(records)} of ${total}`
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

/** Checks two pages of the feed. Each change adds or removes an event. The second page continues the first. */
async function askChanges({ client, sample }: Service): Promise<string> {
  await sample()
  const first = await client.changePage({ from: 'beginning', limit: SMALL_PAGE })
  const second = await client.changePage({ cursor: first.next, limit: SMALL_PAGE })
  const changes = [...first.changes, ...second.changes]
  const records = recordsOf({
    records: changes.flatMap(each => (each.change === 'added' ? each.record : [])),
  })
  expectSame('Each id is reported once', new Set(idsOf(records)).size, records.length)
  const removed = changes.filter(({ change }) => change === 'removed')
  expectSame('Additions and removals', records.length + removed.length, changes.length)
  return first.isUpToDate ? 'nothing is settled yet' : `${told(records)} added, ${removed.length} removed`
}

/** Reads pages from the oldest event on. In this order, events that arrive meanwhile do not move the pages. */
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
  return counted(pages, 'page')
}
