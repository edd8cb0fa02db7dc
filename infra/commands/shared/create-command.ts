import { env } from 'node:process'
import { Command } from 'commander'

interface CommandShape {
  /** The options that must be given. */
  required?: string[]
  /** Its names of files are relative to where it was called; npm runs scripts in the package's folder. */
  takesFiles?: boolean
}

/**
 * A command that says in one line what is wrong with its options. The required ones are looked for last: of one
 * that is missing because its name is misspelt, the misspelt name is told.
 */
export function createCommand(
  name: string,
  { required = [], takesFiles = false }: CommandShape = {},
): Command {
  if (takesFiles && env.npm_lifecycle_event === name && env.INIT_CWD) process.chdir(env.INIT_CWD)
  return new Command(`npm run ${name} --`)
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) })
    .hook('preAction', command => {
      const missing = command.options.find(
        option =>
          required.includes(option.attributeName()) && !command.getOptionValue(option.attributeName()),
      )
      if (missing) command.error(`error: required option '${missing.flags}' not specified`)
    })
}
