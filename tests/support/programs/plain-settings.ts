import { readSettings, type Settings } from '../../../infra/deploy/read-settings.ts'

/** The settings, with a fixed string in place of each of the framework's variables. */
export const plainSettings = (): Settings =>
  JSON.parse(JSON.stringify(readSettings()).replaceAll(/\$\{[^}]*\}/g, 'x'))
