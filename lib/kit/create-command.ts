import { env } from 'node:process'
import { Command } from 'commander'

interface CommandShape {
  /** The names of the required options. */
  required?: string[]
  /**
   * Whether the command takes file names. They are relative to the folder in which the user calls the command, although
   * npm runs scripts in the package's folder.
   */
  takesFiles?: boolean
}

/**
 * Creates a command that reports a mistake in its options in one line. Missing options are reported last, so if a
 * required option is misspelt, the line shows the misspelt name.
 */
export function createCommand(
  name: string,
  { required = [], takesFiles = false }: CommandShape = {},
): Command {
  if (takesFiles && env.npm_lifecycle_event === name && env.INIT_CWD) process.chdir(env.INIT_CWD)
  return new Command(`npm run ${name} --`)
    .configureOutput({
      // Removes credentials from URLs, because the message quotes a wrong value, which may be a URL with a password.
      outputError: (text, write) =>
        write(
          `${text
            .trim()
            .replace(/\s*\n\s*/g, ' ')
            .replace(/\/\/[^/\s'?#]*@/g, '//')}\n`,
        ),
    })
    .hook('preAction', command => {
      const missing = command.options.find(
        option =>
          required.includes(option.attributeName()) && !command.getOptionValue(option.attributeName()),
      )
      if (missing) command.error(`error: required option '${missing.flags}' not specified`)
    })
}
