import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Document, parseDocument } from 'yaml'
import type { StepSettings } from './decide-step.ts'

/** Changes values in a settings file, and keeps the rest, including comments. Creates a missing file. */
export function writeSettings(
  file: string,
  { settings, tableDeletionPolicy }: { settings: StepSettings; tableDeletionPolicy: unknown },
): void {
  const document = existsSync(file)
    ? parseDocument(readFileSync(file, 'utf8'))
    : new Document({ tableDeletionPolicy })
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) document.delete(name)
    else document.set(name, value)
  }
  writeFileSync(file, document.toString())
}
