import { readSettings, type Settings } from '../../../infra/deploy/read-settings.ts'

/** Reads the repository's settings, and replaces each of the framework's variables with a fixed text. */
export const plainSettings = (): Settings =>
  JSON.parse(JSON.stringify(readSettings()).replaceAll(/\$\{[^}]*\}/g, 'x'))
