import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import path from 'node:path'

const IN_MEMORY = '/dev/shm'
/** DynamoDB Local's file is about 20 times as large as the logs it was filled from. */
const GROWTH = 40

/**
 * A place for a folder in memory, always the same one for a data folder; undefined where the system has none
 * or it is too small. DynamoDB Local waits for the disk at every single write, so that filling it there
 * takes seconds where it takes minutes on a disk.
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
