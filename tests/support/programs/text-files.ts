import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Returns a function that writes a file and returns its path. The folder is removed after this file's tests. */
export function useTextFiles(): (name: string, content: string | Buffer) => Promise<string> {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'events-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return async (name, content) => {
    const file = path.join(folder, name)
    await writeFile(file, content)
    return file
  }
}
