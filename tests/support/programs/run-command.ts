import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Lines, as text or JSON, that a command prints only when it runs slowly. */
const TOLD_BY_TIME = /^(Waiting for a node of .*|.*, \d+\/s(; .* left)?|.*"event":"(waiting|progress)".*)\n/gm

interface CommandOptions {
  nodeOptions?: string[]
  env?: NodeJS.ProcessEnv
}

interface CommandResult {
  /** Null if a signal ended the command. */
  code: number | null
  output: string
  /** Standard error without the lines of `TOLD_BY_TIME`, so that no test depends on the machine's speed. */
  errors: string
}

export interface RunningCommand {
  child: ChildProcess
  ended: Promise<CommandResult>
}

/** Starts the command in the file with this name in `infra/commands`, without an AWS account. */
export function startCommand(
  name: string,
  args: string[],
  { nodeOptions = [], env = {} }: CommandOptions = {},
): RunningCommand {
  const child = spawn(process.execPath, [...nodeOptions, `infra/commands/${name}.ts`, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, ended: endOf(child) }
}

export const runCommand = (
  name: string,
  args: string[] = [],
  options?: CommandOptions,
): Promise<CommandResult> => startCommand(name, args, options).ended

/** Returns the line with which the command refuses its arguments. The command must print nothing else. */
export async function refusalOf(name: string, args: string[], code = 1): Promise<string> {
  const { errors, ...rest } = await runCommand(name, args)
  const [line = '', ...more] = errors.trimEnd().split('\n')
  expect({ ...rest, more }).toEqual({ code, output: '', more: [] })
  return line
}

export async function failureOf(command: Promise<CommandResult>): Promise<string> {
  const { code, errors } = await command
  expect({ code, errors }).toEqual({ code: 1, errors })
  return errors
}

async function endOf(child: ChildProcess): Promise<CommandResult> {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The command has no output')
  const [output, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return { code, output, errors: errors.replaceAll(TOLD_BY_TIME, '') }
}

/** Parses the lines that a command prints with `--log-format json`. */
export const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
