import { Option } from 'commander'
import { printable } from './printable.ts'

const LOG_FORMATS = ['text', 'json'] as const

export type LogFormat = (typeof LOG_FORMATS)[number]

export interface Report {
  /** Identifies the kind of message for programs. */
  event: string
  level?: 'info' | 'warn' | 'error'
  /** The text for people. */
  message: string
  [field: string]: unknown
}

export interface Reporter {
  format: LogFormat
  /** Whether a progress bar can be shown, because the format is `text` and standard error is a terminal. */
  hasBar: boolean
  /** Writes a progress message to standard error. */
  tell(report: Report): void
  /** Writes the result to standard output. */
  conclude(report: Report): void
}

export function createReporter(format: LogFormat = 'text'): Reporter {
  const hasBar = format === 'text' && process.stderr.isTTY
  const lineOf = ({ event, level = 'info', message, ...fields }: Report) =>
    printable(
      format === 'text'
        ? message
        : JSON.stringify({ time: new Date().toISOString(), level, event, ...fields, message }),
    )
  return {
    format,
    hasBar,
    // Clears the line first, because a bar may occupy it; the bar is drawn again below the message.
    tell: report => void process.stderr.write(`${hasBar ? '\r\x1B[K' : ''}${lineOf(report)}\n`),
    conclude: report => void process.stdout.write(`${lineOf(report)}\n`),
  }
}

export const logFormatOption = () =>
  new Option('--log-format <name>', 'text for people, or one JSON object per line for programs')
    .choices(LOG_FORMATS)
    .default('text')
