import { type Options, SingleBar } from 'cli-progress'
import type { Reporter } from './reporter.ts'
import { createTimeLeft, durationText } from './time-left.ts'

/** Where nobody looks at a terminal, so often a line says how far it is. */
const LINE_EVERY_MS = 10_000
/** How often the time left is told anew while nothing else is. */
const BAR_EVERY_MS = 1000

/** How far something is, of all that there is to do. */
export interface Progress {
  done: number
  total: number
  /** What people read beside it, and programs. */
  message: string
  fields: Record<string, unknown>
}

const BAR: Options = {
  format: '  {bar} {percentage}% | {message}',
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  clearOnComplete: true,
}

/** A bar on a terminal, elsewhere a line now and then. `read` tells how far it is; undefined before anything is known. */
export function displayProgress(reporter: Reporter, read: () => Progress | undefined): { stop(): void } {
  const timeLeft = createTimeLeft()
  const bar = reporter.hasBar ? new SingleBar(BAR) : undefined
  bar?.start(1, 0, { message: '…' })

  function show() {
    const progress = read()
    if (!progress) return
    const { done, total, fields } = progress
    const secondsLeft = timeLeft(done, total)
    const isTold = secondsLeft !== undefined && done < total
    const message = isTold ? `${progress.message}; ${durationText(secondsLeft)} left` : progress.message
    if (bar) {
      bar.setTotal(Math.max(1, total))
      bar.update(done, { message })
    } else {
      reporter.tell({
        event: 'progress',
        ...fields,
        ...(secondsLeft !== undefined && { secondsLeft: Math.ceil(secondsLeft) }),
        message,
      })
    }
  }

  const timer = setInterval(show, bar ? BAR_EVERY_MS : LINE_EVERY_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      bar?.stop()
    },
  }
}
