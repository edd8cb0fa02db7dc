import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Lines that a command tells only where it takes long, as text and as JSON. */
const TOLD_BY_TIME = /^(Waiting for a node of .*|.*, \d+\/s(; .* left)?|.*"event":"(waiting|progress)".*)\n/gm

interface CommandOptions {
  nodeOptions?: string[]
  env?: NodeJS.ProcessEnv
}

interface CommandResult {
  /** Null where a signal has ended it. */
  code: number | null
  output: string
  /** Without `TOLD_BY_TIME`: no verdict depends on how fast the machine is. */
  errors: string
}

export interface RunningCommand {
  child: ChildProcess
  ended: Promise<CommandResult>
}

/** Starts a command of `infra/commands`, by its file's name, where no AWS account is known. */
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

/** Runs a command to its end. */
export const runCommand = (
  name: string,
  args: string[] = [],
  options?: CommandOptions,
): Promise<CommandResult> => startCommand(name, args, options).ended

async function endOf(child: ChildProcess): Promise<CommandResult> {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('The command has no output')
  const [output, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return { code, output, errors: errors.replaceAll(TOLD_BY_TIME, '') }
}
