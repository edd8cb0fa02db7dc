import { fileProblem } from './file-problem.ts'
import { createReporter, type LogFormat, type Reporter } from './reporter.ts'
import { type StopRequest, stopRequest, workWithoutReader } from './stop-request.ts'

/** Like `doReading`, but for work that changes something, and must be completed even if nobody reads its output. */
export function doWork(work: () => Promise<void>): Promise<void> {
  workWithoutReader()
  return doReading(work)
}

/** If the work fails, prints the reason in one line and sets the exit code to 1. */
export async function doReading(work: () => Promise<void>, explain = explainError): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}

function explainError(error: unknown): string {
  const failure = error as NodeJS.ErrnoException
  const { path, syscall = '', message } = failure
  // If a program cannot be started, the error's `path` names the program, and not a file that cannot be used.
  const isOfFile = path !== undefined && !syscall.startsWith('spawn')
  return isOfFile ? `Can't use ${path}: ${fileProblem(failure)}` : message
}

interface WorkOptions {
  logFormat: LogFormat
  /** Describes a failure of the work. `isStopped` is true if a stop was requested. */
  describe(error: unknown, isStopped: boolean): { message: string; [field: string]: unknown }
  failureCode?: number
}

/** Reports a failure of the work as `failed` or `stopped`, and sets the exit code. */
export async function doWorkUntilStopped(
  { logFormat, describe, failureCode = 1 }: WorkOptions,
  work: (given: { request: StopRequest; reporter: Reporter }) => Promise<void>,
): Promise<void> {
  const request = stopRequest()
  const reporter = createReporter(logFormat)
  try {
    await work({ request, reporter })
  } catch (error) {
    const isStopped = request.stop.aborted
    reporter.tell({ event: isStopped ? 'stopped' : 'failed', level: 'error', ...describe(error, isStopped) })
    process.exitCode = request.exitCode || failureCode
  }
}
