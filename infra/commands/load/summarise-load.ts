import type { LoadSummary } from '../../../lib/ingest/load-files.ts'

/** A load for people: the totals, and a table of what was loaded, or written, by network and kind of event. */
export function summariseLoad(
  { lines, loaded, duplicates, rejected, byKind }: LoadSummary,
  done = 'loaded',
): string {
  const totals = `${loaded} events ${done} from ${lines} lines; ${rejected} lines left out, ${duplicates} repeated`
  const rows = [
    ['network', 'event', 'events'],
    ...byKind.map(({ network, event, count }) => [network, event, String(count)]),
  ]
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const table = rows.map(([network = '', event = '', count = '']) =>
    [network.padEnd(widths[0] ?? 0), event.padEnd(widths[1] ?? 0), count.padStart(widths[2] ?? 0)].join('  '),
  )
  return byKind.length === 0 ? totals : [totals, '', ...table].join('\n')
}
