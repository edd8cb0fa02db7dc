import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Makes a folder, which is removed after this file's tests. */
export function useFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'events-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
