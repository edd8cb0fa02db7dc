import { db } from 'ponder:api'
import { event, participation, tokenHistory } from 'ponder:schema'
import { type Context, Hono } from 'hono'
import { and, desc, eq, gte, lt, lte } from 'ponder'
import type { Address } from 'viem'
import { recordOf } from './record-of.ts'

const app = new Hono()

app.get('/v1/user-events/:address', async c => {
  const { limit, skip, before, fromTime, toTime } = pageOf(c)
  const user = c.req.param('address').toLowerCase() as Address
  const { eventId, timestamp } = participation
  // A span is read from the index that begins with the time. Both orders are the same one.
  const order = fromTime || toTime ? [desc(timestamp), desc(eventId)] : [desc(eventId)]
  // The page is chosen by the narrow table, so that what is skipped is not joined.
  const page = db
    .select({ eventId })
    .from(participation)
    .where(
      and(
        eq(participation.user, user),
        fromTime ? gte(timestamp, Number(fromTime)) : undefined,
        toTime ? lte(timestamp, Number(toTime)) : undefined,
        before ? lt(eventId, before) : undefined,
      ),
    )
    .orderBy(...order)
    .limit(limit)
    .offset(skip)
    .as('page')
  const rows = await db
    .select()
    .from(page)
    .innerJoin(event, eq(event.id, page.eventId))
    .orderBy(desc(page.eventId))
  return answer(
    c,
    rows.map(row => row.event),
    limit,
  )
})

app.get('/v1/token-events', async c => {
  const { limit, skip, before } = pageOf(c)
  const { address, event: kind, tokenId } = c.req.query()
  if (address && tokenId) return answer(c, await historyOf(c, address as Address, BigInt(tokenId)), limit)
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

async function historyOf(c: Context, address: Address, tokenId: bigint) {
  const { limit, skip, before } = pageOf(c)
  const { eventId } = tokenHistory
  const page = db
    .select({ eventId })
    .from(tokenHistory)
    .where(
      and(
        eq(tokenHistory.address, address.toLowerCase() as Address),
        eq(tokenHistory.tokenId, tokenId),
        before ? lt(eventId, before) : undefined,
      ),
    )
    .orderBy(desc(eventId))
    .limit(limit)
    .offset(skip)
    .as('page')
  const rows = await db
    .select()
    .from(page)
    .innerJoin(event, eq(event.id, page.eventId))
    .orderBy(desc(page.eventId))
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

export default app
