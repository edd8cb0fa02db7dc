import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const RUN_ANVIL = fileURLToPath(new URL('./run-anvil.ts', import.meta.url))
const LISTENING = /^Listening on ([\d.]+:\d+)$/

export interface Anvil {
  rpcUrl: string
  stop(): Promise<void>
}

/**
 * Starts anvil, a development node of Ethereum, with the given command-line options on a free port of this machine.
 * Resolves when the node answers. The node ends when the process that started it ends, even if that process is killed.
 */
export async function startAnvil(options: readonly string[] = []): Promise<Anvil> {
  const child = fork(RUN_ANVIL, ['--host', '127.0.0.1', '--port', '0', ...options], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, TARGET_TOOL: 'anvil' },
  })
  const exited = once(child, 'exit')
  const address = await Promise.race([
    listeningAddress(child),
    exited.then(([code]) => {
      throw new Error(`anvil ended with exit code ${code}`)
    }),
  ])
  return {
    rpcUrl: `http://${address}`,
    async stop() {
      child.kill()
      await exited
    },
  }
}

async function listeningAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('anvil has no output')
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const [, address] = LISTENING.exec(line.trim()) ?? []
    if (!address) continue
    // Anvil's output must still be read after the start, because a full pipe would block anvil.
    stdout.resume()
    return address
  }
  throw new Error('anvil ended before it listened')
}
