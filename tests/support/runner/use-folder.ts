import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function useFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'events-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
