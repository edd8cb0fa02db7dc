import type { ChildProcess } from 'node:child_process'

const KEPT_CHARACTERS = 4000
const ERROR = /^.*(?:Error|Exception)\b.*$/m

/**
 * Reads a process's standard error. The returned function returns the line that best explains why the process ended:
 * the first line with an error, else the last line, else an empty text.
 */
export function errorLine({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', chunk => {
    text = (text + chunk).slice(-KEPT_CHARACTERS)
  })
  return () => (ERROR.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '').trim()
}
