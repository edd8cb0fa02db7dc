import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { Document, parse, parseDocument } from 'yaml'
import { readWings } from './wings/wings.ts'

/** For each stage, the settings in its file, by name. The entry `default` has every setting. */
export type Settings = Record<string, Record<string, unknown>>

const FOLDER = path.join(import.meta.dirname, 'settings')

/**
 * Reads the settings from the files in `settings`, and the defaults of the wings. The environment variable
 * `EVENTS_SETTINGS_FOLDER` can name a second folder with files for stages, even outside this repository. Settings in
 * the second folder take precedence.
 */
export function readSettings(): Settings {
  const { EVENTS_SETTINGS_FOLDER: ownFolder } = env
  const here = readFolder(FOLDER)
  // A default in the file `default.yml` replaces a wing's default, because a fork may keep all of its defaults there.
  here.default = Object.assign({}, ...readWings('settings'), here.default)
  if (!ownFolder) return here
  if (!existsSync(ownFolder))
    throw withoutStack(`EVENTS_SETTINGS_FOLDER must name an existing folder, but ${ownFolder} does not exist`)
  const own = readFolder(ownFolder)
  if (own.default)
    throw withoutStack(`${ownFolder}/default.yml must not exist: write one file for each stage`)
  const stages = Object.entries(own).map(([stage, values]) => [stage, { ...here[stage], ...values }])
  return { ...here, ...Object.fromEntries(stages) }
}

export const settingsOf = (settings: Settings, stage: string): Record<string, unknown> => ({
  ...settings.default,
  ...settings[stage],
})

export const settingsFile = (stage: string): string =>
  path.join(env.EVENTS_SETTINGS_FOLDER || 'infra/deploy/settings', `${stage}.yml`)

/** Changes values in a settings file, and keeps the rest, including comments. Creates the file if it is missing. */
export function writeSettings(
  file: string,
  { settings, tableDeletionPolicy }: { settings: Record<string, unknown>; tableDeletionPolicy: unknown },
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

function readFolder(folder: string): Settings {
  const names = readdirSync(folder)
  const unread = names.find(name => name.endsWith('.yaml'))
  if (unread) throw withoutStack(`${path.join(folder, unread)} must be named ${path.parse(unread).name}.yml`)
  const files = names.filter(name => name.endsWith('.yml'))
  return Object.fromEntries(
    files.map(file => [path.basename(file, '.yml'), readFile(path.join(folder, file))]),
  )
}

function readFile(file: string): Record<string, unknown> {
  try {
    const values: unknown = parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof values !== 'object' || Array.isArray(values))
      throw new Error('it must contain settings, one `name: value` per line')
    return values as Record<string, unknown>
  } catch (error) {
    throw withoutStack(`Can't read the settings in ${file}: ${(error as Error).message}`)
  }
}

/** Creates an error that has no stack trace, because the framework would print the trace. */
function withoutStack(message: string): Error {
  const error = new Error(message)
  delete error.stack
  return error
}
