import { readSettings, type Settings } from '../../../infra/deploy/read-settings.ts'

/** The settings of this repository, with a text in place of each of the framework's variables. */
export const plainSettings = (): Settings =>
  JSON.parse(JSON.stringify(readSettings()).replaceAll(/\$\{[^}]*\}/g, 'x'))
