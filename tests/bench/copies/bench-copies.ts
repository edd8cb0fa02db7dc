/** `npm run bench:copies` measures how fast copies are filled and updated, and how many bytes an event takes. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import { listen } from '../../support/http/listen.ts'
import { generateEvents } from '../cost/generate-events.ts'
import { findPostgres, startPostgres } from '../peer/start-postgres.ts'
import { table, writeReport } from '../recorded/report.ts'

/** The events that update the filled copy arrive in small pages, as from a busy service. */
const FOLLOWED = 10_000
const FOLLOWED_A_PAGE = 100
const FILLED_A_PAGE = 500

const events = [...generateEvents()]
const filled = events.length - FOLLOWED
const changes = events.map(record => JSON.stringify({ change: 'added', record }))
/** The service ends its feed after this many events. */
let end = 0

/** Serves the events from memory as the feed of changes. A page's cursor counts the events on earlier pages. */
const service = await listen(({ url = '' }, response) => {
  const { searchParams } = new URL(url, 'http://localhost')
  const from = Number(searchParams.get('cursor') ?? 0)
  const told = changes.slice(from, Math.min(end, from + Number(searchParams.get('limit'))))
  response.setHeader('content-type', 'application/json')
  response.setHeader('retry-after', '1')
  response.setHeader('link', `<http://localhost/v1/changes?cursor=${from + told.length}>; rel="next"`)
  response.end(`[${told.join(',')}]`)
})
const client = createEventsClient(service.baseUrl)

interface Store {
  apply: (page: Awaited<ReturnType<typeof client.changePage>>, after: string | undefined) => Promise<void>
}

async function measure({ from, to, limit }: { from: number; to: number; limit: number }, { apply }: Store) {
  end = to
  const startedAt = performance.now()
  let cursor = from === 0 ? undefined : String(from)
  for (;;) {
    const page = await client.changePage({ from: 'beginning', cursor, limit })
    await apply(page, cursor)
    cursor = page.next
    if (page.isUpToDate) return (performance.now() - startedAt) / 1000
  }
}

const measureBoth = async (store: Store) => ({
  fill: await measure({ from: 0, to: filled, limit: FILLED_A_PAGE }, store),
  follow: await measure({ from: filled, to: events.length, limit: FOLLOWED_A_PAGE }, store),
})

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

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'bench-copies-'))
const server = await startPostgres(await findPostgres())
try {
  const reading = await measureBoth({ apply: async () => undefined })
  const sqlite = await measureCopy(
    `sqlite:${path.join(folder.path, 'copy.sqlite')}`,
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
}
