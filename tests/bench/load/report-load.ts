import { cpus } from 'node:os'
import { table } from '../recorded/statistics.ts'
import type { LevelResult } from './run-level.ts'
import type { ProcessState } from './serve-functions.ts'

export interface LoadSample extends ProcessState {
  /** Since the load began. */
  seconds: number
  doing: string
}

/** The measurements as Markdown. */
export function reportLoad(levels: LevelResult[], samples: LoadSample[]): string {
  const [first] = samples
  const last = samples.at(-1)
  const requests = levels.reduce((sum, level) => sum + level.requests, 0)
  const wrong = levels.reduce((sum, level) => sum + level.wrong.length, 0)
  return [
    '# Load',
    '',
    `Written by \`npm run bench:load\`: the functions as they are deployed in one process (Lambda would run one for each request at a time), the embedded engine in another and the callers in a third, on ${cpus().length} cores. ${requests} mixed requests, each answer compared with the oracle: ${wrong} wrong. Times are the callers', in milliseconds.`,
    '',
    table(
      ['connections', 'seconds', 'requests', 'per second', 'p50', 'p95', 'p99', 'longest', 'errors', 'wrong'],
      levels.map(level => [
        level.connections,
        level.seconds,
        level.requests,
        level.perSecond.toFixed(0),
        ...[level.p50, level.p95, level.p99, level.longest].map(ms => ms.toFixed(0)),
        level.errors,
        level.wrong.length,
      ]),
    ),
    '',
    'The process of the functions, its heap after a full garbage collection:',
    '',
    table(
      ['at second', 'while', 'heap, MB', 'resident, MB', 'sockets', 'timers'],
      samples.map(({ seconds, doing, heapBytes, rssBytes, resources }) => [
        seconds.toFixed(0),
        doing,
        megabytes(heapBytes),
        megabytes(rssBytes),
        socketsOf(resources),
        resources.Timeout ?? 0,
      ]),
    ),
    '',
    `Left over at the end, beyond what was there before: ${socketsOf(last?.resources) - socketsOf(first?.resources)} sockets, ${handlesOf(last?.resources) - handlesOf(first?.resources)} handles of any kind.`,
    '',
  ].join('\n')
}

export const socketsOf = (resources: Record<string, number> = {}) => resources.TCPSocketWrap ?? 0

/** All that keeps a process busy; not timers, which the next garbage collection or request ends. */
export const handlesOf = (resources: Record<string, number> = {}) =>
  Object.entries(resources).reduce((sum, [name, count]) => sum + (name === 'Timeout' ? 0 : count), 0)

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
