import { cpus } from 'node:os'
import { table } from '../recorded/statistics.ts'
import type { LevelResult } from './run-level.ts'
import type { ProcessState } from './serve-functions.ts'

export interface LoadSample extends ProcessState {
  /** Since the load began. */
  seconds: number
  doing: string
}

export function reportLoad(levels: LevelResult[], samples: LoadSample[]): string {
  const [first] = samples
  const last = samples.at(-1)
  const requests = levels.reduce((sum, level) => sum + level.requests, 0)
  const wrong = levels.reduce((sum, level) => sum + level.wrong.length, 0)
  return [
    '# Load',
    '',
    `Written by \`npm run bench:load\`: one process runs the deployed functions (Lambda would run a process for each concurrent request), a second runs the embedded engine, and a third runs the callers, on ${cpus().length} cores. ${requests} mixed requests were sent, and each answer was compared with the oracle: ${wrong} wrong. Times are the callers', in milliseconds.`,
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
    "The functions' process, with its heap after a full garbage collection:",
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
    `At the end, the process has ${socketsOf(last?.resources) - socketsOf(first?.resources)} sockets and ${handlesOf(last?.resources) - handlesOf(first?.resources)} handles of any kind more than at the start.`,
    '',
  ].join('\n')
}

export const socketsOf = (resources: Record<string, number> = {}) => resources.TCPSocketWrap ?? 0

/** Leaves out timers, because they end with the next garbage collection or request. */
export const handlesOf = (resources: Record<string, number> = {}) =>
  Object.entries(resources).reduce((sum, [name, count]) => sum + (name === 'Timeout' ? 0 : count), 0)

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
