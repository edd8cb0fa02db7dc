import type { ChildProcess } from 'node:child_process'

const KEPT_CHARACTERS = 4000
const ERROR = /^.*(?:Error|Exception)\b.*$/m

/**
 * Listens to what a process writes to its standard error, and tells the line that says most about why
 * it ended: the first that names an error, else the last; empty when it wrote nothing.
 */
export function errorLine({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', chunk => {
    text = (text + chunk).slice(-KEPT_CHARACTERS)
  })
  return () => (ERROR.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '').trim()
}
