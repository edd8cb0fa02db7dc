import { type Options, SingleBar } from 'cli-progress'
import type { Reporter } from './reporter.ts'
import { createTimeLeft, durationText } from './time-left.ts'

/** The interval between progress lines, if standard error is not a terminal. */
const LINE_EVERY_MS = 10_000
/** The interval at which the bar and the remaining time are updated. */
const BAR_EVERY_MS = 1000

/** The progress of some work, as a part of its total. */
export interface Progress {
  done: number
  total: number
  /** The message for people. `fields` is the data for programs. */
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

/** Shows a bar, or lines at intervals if there is no terminal. `read` returns undefined if nothing is known yet. */
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
