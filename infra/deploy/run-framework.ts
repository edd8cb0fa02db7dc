import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { exitCodeOf, whenAskedToStop } from '../../lib/kit/stop-request.ts'

/** The program of the framework's command line. */
export const FRAMEWORK = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

/**
 * Runs the framework's command line, which prints its own output, and forwards requests to stop to it. Resolves with
 * true if it succeeds. Otherwise sets the exit code, and resolves with false.
 */
export async function runFramework(parameters: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [FRAMEWORK, ...parameters], { stdio: 'inherit' })
  whenAskedToStop(signal => {
    process.exitCode = exitCodeOf(signal)
    child.kill(signal)
  })
  const [status] = await once(child, 'exit')
  if (status === 0) return true
  process.exitCode ??= status ?? 1
  return false
}
