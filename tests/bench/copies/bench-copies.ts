/** `npm run bench:copies` measures how fast copies are filled and updated, and how many bytes an event takes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import { generateEvents } from '../cost/generate-events.ts'
import { findPostgres, startPostgres } from '../peer/start-postgres.ts'
import { table } from '../recorded/statistics.ts'
import { writeReport } from '../recorded/write-report.ts'
import { servePages } from './serve-pages.ts'

/** The events that update the filled copy arrive in small pages, as from a busy service. */
const FOLLOWED = 10_000
const FOLLOWED_A_PAGE = 100
const FILLED_A_PAGE = 500

const events = [...generateEvents()]
const filled = events.length - FOLLOWED
const service = await servePages(events)
const client = createEventsClient(service.baseUrl)

interface Store {
  apply: (page: Awaited<ReturnType<typeof client.changePage>>, after: string | undefined) => Promise<void>
}

async function measure({ from, to, limit }: { from: number; to: number; limit: number }, { apply }: Store) {
  service.tellUpTo(to)
  const startedAt = performance.now()
  let cursor = from === 0 ? undefined : String(from)
  for (;;) {
    const page = await client.changePage({ from: 'beginning', cursor, limit })
    await apply(page, cursor)
    cursor = page.next
    if (page.isUpToDate) return (performance.now() - startedAt) / 1000
  }
}

const FILL = { from: 0, to: filled, limit: FILLED_A_PAGE }
const FOLLOW = { from: filled, to: events.length, limit: FOLLOWED_A_PAGE }

async function measureBoth(store: Store) {
  const fill = await measure(FILL, store)
  const follow = await measure(FOLLOW, store)
  return { fill, follow }
}

async function measureCopy(target: string, bytesQuery: string) {
  const copy = await openCopy(target, { source: 'bench' })
  const seconds = await measureBoth({ apply: (page, after) => copy.apply(page, { after }) })
  const [rows] = await copy.read(
    'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM transfers) + (SELECT count(*) FROM balances) AS count',
  )
  const [size] = await copy.read(bytesQuery)
  await copy.close()
  return { ...seconds, rows: Number(rows?.count), bytes: Number(size?.bytes) }
}

const folder = await mkdtemp(path.join(tmpdir(), 'bench-copies-'))
const server = await startPostgres(await findPostgres())
try {
  const reading = await measureBoth({ apply: async () => undefined })
  const sqlite = await measureCopy(
    `sqlite:${path.join(folder, 'copy.sqlite')}`,
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  )
  const postgres = await measureCopy(server.url, 'SELECT pg_database_size(current_database()) AS bytes')
  const row = (name: string, { fill, follow, rows, bytes }: typeof sqlite) => [
    name,
    fill.toFixed(1),
    (filled / fill).toFixed(0),
    ((rows * filled) / events.length / fill).toFixed(0),
    `${(fill / reading.fill).toFixed(1)} ×`,
    (FOLLOWED / follow).toFixed(0),
    `${(follow / reading.follow).toFixed(1)} ×`,
    (bytes / events.length).toFixed(0),
  ]
  await writeReport('copies', [
    '# Copies',
    `\`npm run bench:copies\` measures how fast a copy of the service's events is filled and updated. First, the copy is filled with ${filled} events in pages of ${FILLED_A_PAGE}, and gets its indexes. Then the copy is updated with ${FOLLOWED} new events in pages of ${FOLLOWED_A_PAGE}. A server in the same process has all pages ready. *Ratio to only reading* divides the time by the time for reading the same pages without storing them, which is ${reading.fill.toFixed(1)} seconds for filling, and ${reading.follow.toFixed(1)} seconds for updating. Rows are those of the tables \`events\`, \`transfers\` and \`balances\`. The bytes per event include the indexes.`,
    table(
      'copy in | filling: seconds | filling: events per second | filling: rows per second | filling: ratio to only reading | updating: events per second | updating: ratio to only reading | bytes per event',
      [row('SQLite', sqlite), row('PostgreSQL', postgres)],
    ),
  ])
} finally {
  await Promise.all([service.stop(), server.stop()])
  await rm(folder, { recursive: true, force: true })
}
