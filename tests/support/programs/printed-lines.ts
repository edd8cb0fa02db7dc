export function printedLines(call: () => void): Record<string, unknown>[] {
  let text = ''
  const restore = [process.stdout, process.stderr].map(stream => {
    const { write } = stream
    stream.write = (chunk: string | Uint8Array) => {
      text += chunk
      return true
    }
    return () => {
      stream.write = write
    }
  })
  try {
    call()
  } finally {
    for (const each of restore) each()
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}
