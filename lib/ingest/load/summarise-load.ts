import { counted, quotable } from '../../kit/printable.ts'
import type { Report } from '../../kit/reporter.ts'
import type { CutOffFile, FileWithoutEvents, FutureEvent, LoadSummary } from './load-files.ts'

export function summariseLoad(
  { lines, loaded, duplicates, rejected, byKind }: LoadSummary,
  done = 'loaded',
): string {
  const totals = `${counted(loaded, 'event')} ${done} from ${counted(lines, 'line')}; ${counted(rejected, 'line')} left out, ${duplicates} repeated`
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

/**
 * Reports why the load fails: files contain no events, files are truncated, or other lines contradict a line with a
 * future time.
 */
export function damageIn({ withoutEvents, cutOff, fromFuture }: LoadSummary): Report[] {
  const told = withoutEvents.flatMap(({ first }) => first).filter(({ code }) => code === 'cut-off')
  const others = cutOff.filter(({ file }) => told.every(reject => reject.file !== file))
  const level = 'error' as const
  return [
    ...withoutEvents.map(each => ({
      event: 'no-events',
      level,
      ...each,
      message: describeWithoutEvents(each),
    })),
    ...others.map(each => ({ event: 'cut-off', level, ...each, message: describeCutOff(each) })),
    ...(fromFuture
      ? [{ event: 'from-future', level, ...fromFuture, message: describeFuture(fromFuture) }]
      : []),
  ]
}

const WHOLE_FILE = 'Get the complete file, and run the command again'

const describeCutOff = ({ file, line }: CutOffFile) =>
  `${file} is truncated on line ${line}: the rest is missing. ${WHOLE_FILE}`

const describeFuture = ({ file, line, createdAt, contradicting }: FutureEvent) =>
  `${file}:${line} has the time ${createdAt}, which is in the future. ${counted(contradicting, 'line')} contradicted earlier lines, so ${contradicting === 1 ? 'it was' : 'they were'} left out. If that time is wrong, correct it on line ${line}, and load all files again into a new table`

const REMEDIES: readonly [RegExp, string][] = [
  [/\bnetwork is missing/, 'Set the network of all these logs with --network'],
  [/\bblockTimestamp is (missing|0)/, 'To add the times of these logs, use --rpc or --blocks'],
  [/^the file is truncated/, WHOLE_FILE],
]

/** Matches a line of column names, which many CSV files begin with. */
const CSV_HEADER = /^\W?\w[\w .-]*\W?([,;\t]\W?\w[\w .-]*\W?){2}/

function describeWithoutEvents({ file, first }: FileWithoutEvents): string {
  const reasons = first.map(
    ({ line, beginning, reason, count }) =>
      `  ${counted(count, 'log')}: ${quotable(reason)}; first on line ${line}: ${quotable(beginning)} …`,
  )
  const remedies = REMEDIES.filter(([pattern]) => first.some(({ reason }) => pattern.test(reason)))
  const isCsv = first.some(({ line, beginning }) => line === 1 && CSV_HEADER.test(beginning))
  return [
    `${file} contains no known events. These lines were left out:`,
    ...reasons,
    ...remedies.map(([, remedy]) => `  ${remedy}`),
    ...(isCsv ? ['  The file looks like CSV, but logs must be JSON (npm run load -- --help)'] : []),
  ].join('\n')
}
