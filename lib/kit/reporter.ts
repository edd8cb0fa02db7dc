import { Option } from 'commander'
import { printable } from './printable.ts'

const LOG_FORMATS = ['text', 'json'] as const

export type LogFormat = (typeof LOG_FORMATS)[number]

/** A message that a command writes while it works. */
export interface Report {
  /** The message's name for programs. */
  event: string
  level?: 'info' | 'warn' | 'error'
  /** The message's text for people. */
  message: string
  [field: string]: unknown
}

export interface Reporter {
  format: LogFormat
  /** Whether standard error is a terminal, so that a bar can be drawn. */
  hasBar: boolean
  /** Writes a progress message to standard error. */
  tell(report: Report): void
  /** Writes the result to standard output. */
  conclude(report: Report): void
}

/** Creates a reporter that writes lines of text for people, or lines of JSON for programs. */
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
    // On a terminal, a bar may occupy the line; it is drawn again below the message.
    tell: report => void process.stderr.write(`${hasBar ? '\r\x1B[K' : ''}${lineOf(report)}\n`),
    conclude: report => void process.stdout.write(`${lineOf(report)}\n`),
  }
}

export const logFormatOption = () =>
  new Option('--log-format <name>', 'lines for people, or one JSON object per line for programs')
    .choices(LOG_FORMATS)
    .default('text')
