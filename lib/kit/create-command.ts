import { env } from 'node:process'
import { Command } from 'commander'

interface CommandShape {
  required?: string[]
  /** Whether to resolve file names in the user's folder, although npm runs scripts in the package's folder. */
  takesFiles?: boolean
}

/** Missing options are reported last, so that the one-line error for a misspelt option shows the misspelt name. */
export function createCommand(
  name: string,
  { required = [], takesFiles = false }: CommandShape = {},
): Command {
  if (takesFiles && env.npm_lifecycle_event === name && env.INIT_CWD) process.chdir(env.INIT_CWD)
  return new Command(`npm run ${name} --`)
    .configureOutput({
      // Removes credentials from URLs, because the message quotes the wrong value, which may be a URL with a password.
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
