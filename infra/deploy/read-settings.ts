import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { parse } from 'yaml'

/** The values of each stage's file by name; `default` has those of all settings. */
export type Settings = Record<string, Record<string, unknown>>

const FOLDER = path.join(import.meta.dirname, 'settings')

/**
 * What the files in `settings` say. A stage's file in the folder that `EVENTS_SETTINGS_FOLDER` names goes before
 * the one here, setting by setting: so settings can be kept apart from this repository.
 */
export function readSettings(): Settings {
  const { EVENTS_SETTINGS_FOLDER: ownFolder } = env
  const here = readFolder(FOLDER)
  if (!ownFolder) return here
  if (!existsSync(ownFolder))
    throw withoutStack(`There is no folder ${ownFolder}, as EVENTS_SETTINGS_FOLDER says`)
  const own = readFolder(ownFolder)
  if (own.default) throw withoutStack(`${ownFolder}/default.yml is not read: write a file for each stage`)
  const stages = Object.entries(own).map(([stage, values]) => [stage, { ...here[stage], ...values }])
  return { ...here, ...Object.fromEntries(stages) }
}

/** Where a stage's settings are to be written down. */
export const settingsFile = (stage: string): string =>
  path.join(env.EVENTS_SETTINGS_FOLDER || 'infra/deploy/settings', `${stage}.yml`)

function readFolder(folder: string): Settings {
  const files = readdirSync(folder).filter(file => file.endsWith('.yml'))
  return Object.fromEntries(
    files.map(file => [path.basename(file, '.yml'), readFile(path.join(folder, file))]),
  )
}

function readFile(file: string): Record<string, unknown> {
  try {
    const values: unknown = parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof values !== 'object' || Array.isArray(values)) throw new Error('it has no settings, one a line')
    return values as Record<string, unknown>
  } catch (error) {
    throw withoutStack(`Cannot read the settings in ${file}: ${(error as Error).message}`)
  }
}

/** The framework prints an error's stack, where there is one. */
function withoutStack(message: string): Error {
  const error = new Error(message)
  delete error.stack
  return error
}
