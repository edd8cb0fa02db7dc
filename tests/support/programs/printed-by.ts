import type { ChildProcess } from 'node:child_process'

/** The returned function returns what the process has printed so far. The process must write to pipes. */
export function printedBy({ stdout, stderr }: ChildProcess): () => string {
  let printed = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      printed += text
    })
  }
  return () => printed
}
