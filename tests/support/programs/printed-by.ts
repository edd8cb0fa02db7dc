import type { ChildProcess } from 'node:child_process'

/** Returns a function that tells what the process has written to its pipes so far. */
export function printedBy({ stdout, stderr }: ChildProcess): () => string {
  let printed = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      printed += text
    })
  }
  return () => printed
}
