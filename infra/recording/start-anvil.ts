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
 * Starts anvil, an Ethereum node for development, on a free port of this machine with the given options of
 * its command line, and returns once it answers. It ends with the process that started it, however that ends.
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
    // What it writes later must be read too, or it would stop when the pipe is full.
    stdout.resume()
    return address
  }
  throw new Error('anvil ended before it listened')
}
