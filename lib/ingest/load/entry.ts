/** The text of one log or block in a file, unchanged. */
export interface Entry {
  /** The line on which the entry begins, counted from 1. */
  number: number
  /** Undefined when the text is longer than `MAX_ENTRY_BYTES`. */
  text: string | undefined
  bytesRead: number
  /** The file is cut off within this entry. A cut between two entries yields a last entry with an empty text. */
  isCutOff?: true
}

/**
 * The maximum size of an entry in bytes. A larger entry is reported instead of loaded. No log has even 8 MB of data,
 * because its gas (8 for each byte, plus the gas for memory) would exceed the gas limit of a transaction or of a block.
 */
export const MAX_ENTRY_BYTES = 16 * 1024 * 1024

/** Collects the pieces of a text, up to a maximum number of bytes. */
export function createTextBuffer(maxBytes: number) {
  let pieces: Buffer[] = []
  let bytes = 0
  function drop() {
    pieces = []
    bytes = 0
  }
  return {
    add(piece: Buffer) {
      bytes += piece.length
      if (bytes > maxBytes) pieces = []
      else if (piece.length > 0) pieces.push(piece)
    },
    /** Returns the collected text, or undefined if it is too long, and starts a new text. */
    take() {
      const text = bytes > maxBytes ? undefined : Buffer.concat(pieces).toString('utf8')
      drop()
      return text
    },
    drop,
  }
}
