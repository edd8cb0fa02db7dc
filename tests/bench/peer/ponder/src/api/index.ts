import { db } from 'ponder:api'
import { event, participation } from 'ponder:schema'
import { type Context, Hono } from 'hono'
import { and, desc, eq, lt } from 'ponder'
import type { Address } from 'viem'
import { recordOf } from './record-of.ts'

const app = new Hono()

app.get('/v1/user-events/:address', async c => {
  const { limit, skip, before } = pageOf(c)
  const user = c.req.param('address').toLowerCase() as Address
  // The page is chosen by the narrow table, so that what is skipped is not joined.
  const page = db
    .select({ eventId: participation.eventId })
    .from(participation)
    .where(and(eq(participation.user, user), before ? lt(participation.eventId, before) : undefined))
    .orderBy(desc(participation.eventId))
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
  const { address, event: kind } = c.req.query()
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

function pageOf(c: Context) {
  const { limit = '50', skip = '0', before } = c.req.query()
  return { limit: Math.min(Number(limit), 500), skip: Number(skip), before }
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
