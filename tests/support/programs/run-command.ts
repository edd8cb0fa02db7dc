import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { until } from '../runner/until.ts'

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

/** Starts a program in the repository's folder. By default, its output is read through pipes. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions = {}) {
  const child: ChildProcess = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, ...options.env },
  })
  const printed = { output: '', errors: '', all: '' }
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', text => {
      printed[name] += text
      printed.all += text
    })
  }
  let hasEnded = false
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true
    return code as number | null
  })
  return {
    child,
    /** What the process has printed so far. `all` contains standard output and standard error. */
    printed,
    /** Resolves with the exit code, or with null if a signal ended the process. */
    ended,
    async untilPrinted(text: string) {
      await until(() => hasEnded || printed.all.includes(text))
      if (!printed.all.includes(text)) throw new Error(`It ended without printing "${text}":\n${printed.all}`)
    },
  }
}

/** Starts the command in the file with this name in `infra/commands`, without an AWS account. */
export function startCommand(
  name: string,
  args: string[],
  { nodeOptions = [], env = {} }: CommandOptions = {},
) {
  const all = [...nodeOptions, `infra/commands/${name}.ts`, ...args]
  const started = startProcess(process.execPath, all, { env })
  const ended = started.ended.then((code): CommandResult => {
    const { output, errors } = started.printed
    return { code, output, errors: errors.replaceAll(TOLD_BY_TIME, '') }
  })
  return { ...started, ended }
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

/** Parses the lines that a command prints with `--log-format json`. */
export const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
