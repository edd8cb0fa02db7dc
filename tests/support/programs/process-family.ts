import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

const END_TIMEOUT_MS = 10_000

/** The processes that a process has started, and those that they have. */
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

/** Waits for processes to end; returns those that have not in time. */
export async function survivorsOf(pids: number[]): Promise<number[]> {
  const deadline = Date.now() + END_TIMEOUT_MS
  while (pids.some(isAlive) && Date.now() < deadline) await delay(50)
  return pids.filter(isAlive)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
