import type { ApiProblem } from '../../../lib/client/client-errors.ts'
import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { API_PATHS } from '../../../lib/http/route.ts'
import { counted } from '../../../lib/kit/printable.ts'
import { BLOCK_NUMBER } from '../../../lib/query/filters.ts'
import { serviceStatusSchema } from '../../../lib/site/status/service-status.ts'
import { type Check, expectNewestFirst, expectSame, recordsOf, type Service } from './service.ts'

const PAGE = 50
const WHOLE_PAGE = 500
/** This page size is so small that the feed of nearly every service has at least two pages. */
const SMALL_PAGE = 2
const REFUSED_PATH = '/v1/token-events?limit=0'

/**
 * The checks of a service. Each covers something that cannot be tested without AWS: a function's routes and rights, the
 * table or one of its indexes, or the gateways and caches between the function and the caller.
 */
export const SERVICE_CHECKS: Check[] = [
  { name: 'token-events, newest first', run: askNewest },
  { name: 'token-events of a token id', run: askTokenId },
  { name: 'token-events of a transaction', run: askTransaction },
  { name: 'token-events of a block', run: askBlock },
  { name: 'user-events', run: askUser },
  { name: 'changes, from the beginning', run: askChanges },
  { name: `GET ${REFUSED_PATH}`, run: askRefusal },
  { name: 'CORS headers for web pages of other origins', run: askCors },
  { name: 'the OpenAPI document', run: askDocument },
  { name: 'the status, and a page at /', run: askStatus },
]

const idsOf = (records: EventRecord[]) => records.map(({ id }) => id)
const told = (records: EventRecord[]) => counted(records.length, 'record')

function expectAmong(records: EventRecord[], id: string, what: string): void {
  if (!idsOf(records).includes(id)) throw new Error(`${id} is not among ${what}`)
}

async function askNewest({ client, sample }: Service): Promise<string> {
  await sample()
  const records = recordsOf(await client.tokenEvents({ limit: PAGE }))
  expectNewestFirst(records)
  return told(records)
}

async function askTokenId({ client, settled }: Service): Promise<string> {
  const kinds = ['TransferSingle', 'TransferBatch'] as const
  const transfers = await settled({ event: kinds, limit: SMALL_PAGE })
  const transfer = transfers.find(({ tokenIds }) => tokenIds.length > 0)
  const [tokenId] = transfer?.tokenIds ?? []
  if (!transfer || tokenId === undefined) return 'skipped, because there are no transfers'
  const { address, createdAt: toTime } = transfer
  const records = recordsOf(await client.tokenEvents({ address, tokenId, toTime, limit: PAGE }))
  expectNewestFirst(records)
  expectAmong(records, transfer.id, `the events of its token ${tokenId} up to ${toTime}`)
  return told(records)
}

async function askTransaction({ client, sample }: Service): Promise<string> {
  const { transactionHash, id } = await sample()
  const records = recordsOf(await client.tokenEvents({ transactionHash, limit: WHOLE_PAGE }))
  for (const record of records)
    expectSame('The transaction hash of a record', record.transactionHash, transactionHash)
  expectAmong(records, id, 'the events of its transaction')
  return told(records)
}

async function askBlock({ client, settled }: Service): Promise<string> {
  const newest = await settled({ limit: PAGE })
  // Some networks have higher block numbers than the filter `blockNumber` accepts.
  const found = newest.find(record => record.blockNumber <= BLOCK_NUMBER.max)
  if (!found) return 'skipped, because none of the newest events has a block number that the filter accepts'
  const { blockNumber, id } = found
  const records = recordsOf(await client.tokenEvents({ blockNumber, limit: WHOLE_PAGE }))
  for (const record of records) expectSame('The block number of a record', record.blockNumber, blockNumber)
  expectAmong(records, id, 'the events of its block')
  return told(records)
}

async function askUser({ client, sample }: Service): Promise<string> {
  const newest = await sample()
  const [user = ''] = usersOf(newest)
  const records = recordsOf(await client.userEvents(user, { limit: PAGE }))
  expectNewestFirst(records)
  if (records.length === 0) throw new Error(`${user} has no events, although it takes part in ${newest.id}`)
  const other = records.find(record => !usersOf(record).includes(user))
  if (other) throw new Error(`the events of ${user} include ${other.id}, in which it does not take part`)
  return told(records)
}

/** Checks that the feed's second page continues the first, and that each change adds or removes an event. */
async function askChanges({ client, sample }: Service): Promise<string> {
  await sample()
  const first = await client.changePage({ from: 'beginning', limit: SMALL_PAGE })
  const second = await client.changePage({ cursor: first.next, limit: SMALL_PAGE })
  const changes = [...first.changes, ...second.changes]
  const records = recordsOf({
    records: changes.flatMap(each => (each.change === 'added' ? each.record : [])),
  })
  expectSame('The number of distinct ids of the added records', new Set(idsOf(records)).size, records.length)
  const removed = changes.filter(({ change }) => change === 'removed')
  expectSame(
    'The number of changes that add or remove an event',
    records.length + removed.length,
    changes.length,
  )
  return first.isUpToDate ? 'there are no changes yet' : `${told(records)} added, ${removed.length} removed`
}

/** Checks that the function's own explanation of an error reaches the caller. */
async function askRefusal({ request }: Service): Promise<string> {
  const response = await request(REFUSED_PATH)
  expectSame('The status', response.status, 400)
  expectSame('The type', response.headers.get('content-type'), 'application/json')
  const { title, status, detail, instance, errors } = (await response.json()) as ApiProblem
  expectSame('The status in the body', status, 400)
  if (!title || !detail || !instance) throw new Error('the body lacks title, detail or instance')
  expectSame(
    'The list of wrong parameters',
    [...new Set(errors?.map(({ parameter }) => parameter))],
    ['limit'],
  )
  return '400'
}

async function askCors({ request }: Service): Promise<string> {
  const { headers } = await request('/v1/token-events?limit=1')
  expectSame('Access-Control-Allow-Origin', headers.get('access-control-allow-origin'), '*')
  const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, */)
  // The cache in `infra/cloudfront` exposes every header with `*`.
  if (exposed.includes('*')) return 'all headers readable'
  const missing = ['etag', 'link', 'retry-after', 'x-partial'].filter(name => !exposed.includes(name))
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} cannot be read by web pages of other origins`)
  return `${counted(exposed.length, 'header')} readable`
}

async function askDocument({ request }: Service): Promise<string> {
  const response = await request('/v1/openapi.json')
  expectSame('The status', response.status, 200)
  const { openapi, paths } = (await response.json()) as { openapi: string; paths: object }
  const missing = Object.values(API_PATHS).filter(path => !(path in paths))
  if (missing.length > 0) throw new Error(`it does not describe ${missing.join(', ')}`)
  return `OpenAPI ${openapi}`
}

/** Also checks that caches keep the answers for different `Accept` headers apart. */
async function askStatus({ request }: Service): Promise<string> {
  const page = await request('/', { headers: { accept: 'text/html' } })
  expectSame('The type for browsers', page.headers.get('content-type'), 'text/html; charset=utf-8')
  await page.body?.cancel()
  const data = await request('/')
  expectSame('The type for programs', data.headers.get('content-type'), 'application/json')
  await data.body?.cancel()
  const response = await request('/v1/status')
  expectSame('The status', response.status, 200)
  const { version, networks } = serviceStatusSchema.parse(await response.json())
  const lags = networks.map(({ network, lagSeconds }) => `${network} ${lagSeconds} s behind`)
  return [`version ${version}`, ...lags].join(', ')
}
