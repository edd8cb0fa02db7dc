/** What a file holds of one log, as it stands there. */
export interface Entry {
  /** The line on which it begins, counted from 1. */
  number: number
  /** Undefined when it is longer than `MAX_ENTRY_BYTES`. */
  text: string | undefined
  /** How far into the file reading has come, in bytes. */
  bytesRead: number
  /** The file ends within this entry, or (its text is empty then) before its list does: the rest of the file is missing. */
  isCutOff?: true
}

/**
 * Longer entries are reported, not loaded: no node returns a log of 8 MB, since its gas (8 for each byte,
 * and the memory that it stood in) would exceed the block's.
 */
export const MAX_ENTRY_BYTES = 16 * 1024 * 1024
