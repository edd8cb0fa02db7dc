import { env } from 'node:process'
import { Command } from 'commander'
import { withoutPasswords } from './printable.ts'
import { endWithoutReader } from './stop-request.ts'

interface CommandShape {
  required?: string[]
  /** Whether file names are relative to the folder in which the user ran npm, and not to the package's folder. */
  takesFiles?: boolean
}

/** Missing options are reported last, so that a misspelt option is reported as unknown and not as missing. */
export function createCommand(
  name: string,
  { required = [], takesFiles = false }: CommandShape = {},
): Command {
  if (takesFiles && env.npm_lifecycle_event === name && env.INIT_CWD) process.chdir(env.INIT_CWD)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithoutReader)
  const command = new Command(`npm run ${name} --`)
  const kept = () =>
    findKeptByNpm(
      name,
      command.options.flatMap(({ long }) => long ?? []),
    )
  return command
    .configureOutput({
      // If npm has kept an option for itself, other errors follow, such as a surplus argument, so only this option is
      // reported.
      outputError: (text, write) =>
        write(`${oneLine(withoutPasswords(kept() ? `error: ${kept()}` : text))}\n`),
    })
    .hook('preAction', () => {
      const wrong = kept()
      if (wrong) command.error(wrong)
      const empty = findEmpty(command)
      if (empty) command.error(`error: ${empty}`)
      const missing = command.options.find(
        option =>
          required.includes(option.attributeName()) && !command.getOptionValue(option.attributeName()),
      )
      if (missing) command.error(`error: required option '${missing.flags}' not specified`)
    })
}

/**
 * Finds an empty value on the command line, which usually comes from a variable that is not set. Later messages would
 * name, for example, a file whose name is empty.
 */
function findEmpty(command: Command): string | undefined {
  const isEmpty = (value: unknown) =>
    [value].flat().some(each => typeof each === 'string' && each.trim() === '')
  const argument = command.registeredArguments.find((_, index) => isEmpty(command.processedArgs[index]))
  if (argument) return `argument '${argument.name()}' must not be empty: ${argument.description}`
  const option = command.options.find(each => {
    const name = each.attributeName()
    return command.getOptionValueSource(name) === 'cli' && isEmpty(command.getOptionValue(name))
  })
  return option && `option '${option.flags}' must not be empty: ${option.description}`
}

/**
 * Refuses an option on the command line that has no effect without `needed`. The option's environment variable is not
 * refused, because it may be meant for other commands.
 */
export function refuseUseless(command: Command, attributes: readonly string[], needed: string): void {
  const useless = command.options.find(option => {
    const attribute = option.attributeName()
    return attributes.includes(attribute) && command.getOptionValueSource(attribute) === 'cli'
  })
  if (useless) command.error(`error: ${useless.long} needs ${needed}`)
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ')

/**
 * Finds an option that npm kept for itself because `--` was missing before it. The script would otherwise run with the
 * option's default, for example for another stage. Returns a message that shows what to write instead.
 */
export function findKeptByNpm(script: string, options: readonly string[]): string | undefined {
  if (env.npm_lifecycle_event !== script) return undefined
  const kept = options.find(
    option => `npm_config_${option.replace(/^--(no-)?/, '').replaceAll('-', '_')}` in env,
  )
  return (
    kept &&
    `npm has kept ${kept} for itself: write -- before the options, as in npm run ${script} -- ${kept} …`
  )
}
