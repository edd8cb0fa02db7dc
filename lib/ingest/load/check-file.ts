import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { fileProblem } from '../../kit/file-problem.ts'

export const unreadable = (file: string, reason: string, cause?: unknown) =>
  new Error(`Can't read ${file}: ${reason}`, { cause })

/** Returns the size of a file in bytes (0 for a pipe). Throws a one-line error if the file is not readable. */
export async function checkFile(file: string): Promise<number> {
  try {
    await access(file, constants.R_OK)
    const stats = await stat(file)
    if (!stats.isDirectory()) return stats.size
  } catch (cause) {
    throw unreadable(file, fileProblem(cause as Error), cause)
  }
  throw unreadable(file, 'it is a folder, not a file')
}
