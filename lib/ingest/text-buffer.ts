/** Collects the pieces of a text, but never more than so many bytes of it. */
export interface TextBuffer {
  add(piece: Buffer): void
  /** The text, undefined when it is too long. What is added from now on is another. */
  take(): string | undefined
  drop(): void
}

export function createTextBuffer(maxBytes: number): TextBuffer {
  let pieces: Buffer[] = []
  let bytes = 0
  function drop() {
    pieces = []
    bytes = 0
  }
  return {
    add(piece) {
      bytes += piece.length
      if (bytes > maxBytes) pieces = []
      else if (piece.length > 0) pieces.push(piece)
    },
    take() {
      const text = bytes > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8')
      drop()
      return text
    },
    drop,
  }
}
