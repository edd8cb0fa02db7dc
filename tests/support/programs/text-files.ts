import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { useFolder } from '../runner/use-folder.ts'

/** Returns a function that writes a file and returns its path. The files are removed after the calling file's tests. */
export function useTextFiles(): (name: string, content: string | Buffer) => Promise<string> {
  const folder = useFolder()
  return async (name, content) => {
    const file = path.join(folder, name)
    await writeFile(file, content)
    return file
  }
}
