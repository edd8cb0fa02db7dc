import { Option } from 'commander'
import { printable } from './printable.ts'

const LOG_FORMATS = ['text', 'json'] as const

export type LogFormat = (typeof LOG_FORMATS)[number]

/** Something that a command tells while it works. */
export interface Report {
  /** What programs know it by. */
  event: string
  level?: 'info' | 'error'
  /** What people read. */
  message: string
  [field: string]: unknown
}

export interface Reporter {
  format: LogFormat
  /** Whether somebody looks at a terminal, where a bar can move. */
  hasBar: boolean
  /** Writes to standard error what is told on the way. */
  tell(report: Report): void
  /** Writes to standard output what came of it. */
  conclude(report: Report): void
}

/** Tells people lines of text and programs lines of JSON. */
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
    // On a terminal a bar may stand in the line; it is drawn again below.
    tell: report => void process.stderr.write(`${hasBar ? '\r\x1B[K' : ''}${lineOf(report)}\n`),
    conclude: report => void process.stdout.write(`${lineOf(report)}\n`),
  }
}

export const logFormatOption = () =>
  new Option('--log-format <name>', 'lines for people, or a JSON object a line for programs')
    .choices(LOG_FORMATS)
    .default('text')
