import { readSettings, type Settings } from '../../../infra/deploy/read-settings.ts'

/** A fixed string replaces each of the framework's variables. */
export const plainSettings = (): Settings =>
  JSON.parse(JSON.stringify(readSettings()).replaceAll(/\$\{[^}]*\}/g, 'x'))
