import type { FileWithoutEvents, LoadSummary } from '../../../lib/ingest/load-files.ts'

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

/** What to give for a field that nodes leave out. */
const REMEDIES: Record<string, string> = {
  network: '--network names the network of all of them',
  blockTimestamp: '--rpc or --blocks finds the times',
}

/** Why a file is of no use, in lines for people. */
export function describeWithoutEvents({ file, lines, first }: FileWithoutEvents): string {
  const shown = first.map(({ line, beginning, reason }) => `  line ${line}, ${beginning} …: ${reason}`)
  const missing = Object.keys(REMEDIES).filter(name =>
    first.some(({ reason }) => reason.includes(`${name} is missing`)),
  )
  const remedies = missing.map(name => `  ${REMEDIES[name]}`)
  return [`${file} holds no known event. Of its ${lines} logs the first are:`, ...shown, ...remedies].join(
    '\n',
  )
}
