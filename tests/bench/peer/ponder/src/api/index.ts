import { db } from 'ponder:api'
import { event, participation, tokenHistory } from 'ponder:schema'
import { type Context, Hono } from 'hono'
import { and, desc, eq, gte, lt, lte } from 'ponder'
import type { Address } from 'viem'

const app = new Hono()

app.get('/v1/user-events/:address', async c => {
  const page = pageOf(c)
  const { before, fromTime, toTime } = page
  const { user, eventId, timestamp } = participation
  const where = and(
    eq(user, c.req.param('address').toLowerCase() as Address),
    fromTime ? gte(timestamp, Number(fromTime)) : undefined,
    toTime ? lte(timestamp, Number(toTime)) : undefined,
    before ? lt(eventId, before) : undefined,
  )
  // Sorts a span by time first, so that the index `byTime` returns the rows in this order.
  const order = fromTime || toTime ? [desc(timestamp), desc(eventId)] : [desc(eventId)]
  return answer(c, await eventsIn(participation, { ...page, where, order }), page.limit)
})

app.get('/v1/token-events', async c => {
  const { limit, skip, before } = pageOf(c)
  const { address, event: kind, tokenId } = c.req.query()
  if (address && tokenId) {
    const { eventId } = tokenHistory
    const where = and(
      eq(tokenHistory.address, address.toLowerCase() as Address),
      eq(tokenHistory.tokenId, BigInt(tokenId)),
      before ? lt(eventId, before) : undefined,
    )
    return answer(c, await eventsIn(tokenHistory, { limit, skip, where, order: [desc(eventId)] }), limit)
  }
  const rows = await db
    .select()
    .from(event)
    .where(
      and(
        address ? eq(event.address, address.toLowerCase() as Address) : undefined,
        kind ? eq(event.kind, kind) : undefined,
        before ? lt(event.id, before) : undefined,
      ),
    )
    .orderBy(desc(event.id))
    .limit(limit)
    .offset(skip)
  return answer(c, rows, limit)
})

interface Page {
  limit: number
  skip: number
  where: ReturnType<typeof and>
  order: ReturnType<typeof desc>[]
}

/** Selects the page in a narrow table, so that skipped rows are not joined. */
async function eventsIn(chosen: typeof participation | typeof tokenHistory, page: Page) {
  const ids = db
    .select({ eventId: chosen.eventId })
    .from(chosen as typeof participation)
    .where(page.where)
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.skip)
    .as('page')
  const rows = await db
    .select()
    .from(ids)
    .innerJoin(event, eq(event.id, ids.eventId))
    .orderBy(desc(ids.eventId))
  return rows.map(row => row.event)
}

function pageOf(c: Context) {
  const { limit = '50', skip = '0', before, fromTime, toTime } = c.req.query()
  return { limit: Math.min(Number(limit), 500), skip: Number(skip), before, fromTime, toTime }
}

function answer(c: Context, rows: (typeof event.$inferSelect)[], limit: number) {
  const last = rows.at(-1)
  if (last && rows.length === limit) {
    const next = new URL(c.req.url)
    next.searchParams.delete('skip')
    next.searchParams.set('before', last.id)
    c.header('Link', `<${next}>; rel="next"`)
  }
  return c.json(rows.map(recordOf))
}

function recordOf(row: typeof event.$inferSelect) {
  return {
    event: row.kind,
    id: `${row.network}:${row.transactionHash}:${row.logIndex}`,
    network: row.network,
    address: row.address,
    blockNumber: row.blockNumber,
    blockHash: row.blockHash,
    transactionHash: row.transactionHash,
    logIndex: row.logIndex,
    createdAt: new Date(row.timestamp * 1000).toISOString(),
    ...ownFieldsOf(row),
  }
}

function ownFieldsOf(row: typeof event.$inferSelect) {
  const { creator, initialOwner, bucketHash, token, owner, operator, from, to, previousOwner, newOwner } = row
  const tokenIds = row.tokenIds?.map(String)
  const quantities = row.quantities?.map(String)
  switch (row.kind) {
    case 'Minted':
      return { creator, initialOwner, bucketHash, tokenId: tokenIds?.[0], quantity: quantities?.[0] }
    case 'MintedBatch':
      return { token, owner, tokenIds, quantities }
    case 'OwnershipTransferred':
      return { previousOwner, newOwner }
    default:
      return { operator, from, to, tokenIds, quantities }
  }
}

export default app
