import { type Options, SingleBar } from 'cli-progress'
import type { Reporter } from './reporter.ts'
import { createTimeLeft, durationText } from './time-left.ts'

/** The interval between progress lines if no bar is shown. */
const LINE_EVERY_MS = 10_000
const BAR_EVERY_MS = 1000

export interface Progress {
  done: number
  total: number
  /** The text for people. `fields` contains the same information for programs. */
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

/** Shows a bar, or lines at intervals if `reporter` has no bar. `read` returns undefined while nothing is known. */
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
