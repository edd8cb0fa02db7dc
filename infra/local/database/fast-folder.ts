import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import path from 'node:path'

const IN_MEMORY = '/dev/shm'
/** DynamoDB Local's file is about 20 times as large as the loaded logs. Twice that must be free in memory. */
const GROWTH = 40

/**
 * Returns a folder in memory, to be used instead of a data folder. The folder in memory is always the same for one data
 * folder. Returns undefined if the system has no memory file system, or too small a memory file system. DynamoDB Local
 * waits for the disk at every write, so filling a table takes seconds in memory, and minutes on a disk.
 */
export async function fastFolder(options: { dataDir: string; bytes: number }): Promise<string | undefined> {
  const room = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (room < options.bytes * GROWTH) return undefined
  const name = createHash('sha256').update(options.dataDir).digest('hex').slice(0, 16)
  return path.join(IN_MEMORY, `blockchain-events-${name}`)
}
