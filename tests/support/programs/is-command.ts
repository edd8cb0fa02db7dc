import { existsSync } from 'node:fs'

/** Whether the command exists. Test tables may contain cases for commands whose wing has been taken out. */
export const isCommand = (name: string) =>
  existsSync(new URL(`../../../infra/commands/${name}.ts`, import.meta.url))
