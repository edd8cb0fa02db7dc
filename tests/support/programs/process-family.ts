import { execFileSync } from 'node:child_process'
import { until } from '../runner/until.ts'

export function descendantsOf(pid: number | undefined): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  const pairs = table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([ppid, child = 0]) => (ppid === parent ? [child, ...childrenOf(child)] : []))
  return childrenOf(Number(pid))
}

export const untilEnded = (pids: number[]) => until(() => !pids.some(isAlive))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
