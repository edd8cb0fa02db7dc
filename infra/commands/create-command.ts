import { Command } from 'commander'

/**
 * A command that says in one line what is wrong with its options. The required ones are looked for last: of one
 * that is missing because its name is misspelt, the misspelt name is told.
 */
export function createCommand(name: string, { required = [] }: { required?: string[] } = {}): Command {
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
