import { existsSync } from 'node:fs'

/** Whether the command exists. Tables of cases may name commands of wings that were taken out. */
export const isCommand = (name: string) =>
  existsSync(new URL(`../../../infra/commands/${name}.ts`, import.meta.url))
