import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'

const REASONS: Record<string, string> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EACCES: 'access is denied',
}

export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  readonly code = 'unreadable-file'

  constructor({ file, reason, cause }: { file: string; reason: string; cause?: unknown }) {
    super(`Can't read ${file}: ${reason}`, { cause })
  }
}

/** Returns the size of a file in bytes (0 for a pipe). Throws `UnreadableFileError` if the file is not readable. */
export async function checkFile(file: string): Promise<number> {
  try {
    await access(file, constants.R_OK)
    const stats = await stat(file)
    if (!stats.isDirectory()) return stats.size
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new UnreadableFileError({ file, reason: REASONS[code] ?? message, cause })
  }
  throw new UnreadableFileError({ file, reason: 'it is a folder, not a file' })
}
