import { existsSync } from 'node:fs'

/** Whether the command exists. Tests may list a command that is missing because its wing has been taken out. */
export const isCommand = (name: string) =>
  existsSync(new URL(`../../../infra/commands/${name}.ts`, import.meta.url))
