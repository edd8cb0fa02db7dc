import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const ANVIL = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
const LISTENING = /^Listening on ([\d.]+:\d+)$/

export interface Anvil {
  rpcUrl: string
  stop(): Promise<void>
}

/**
 * Starts anvil, an Ethereum node for development, on a free port of this machine with the given options of
 * its command line, and returns once it answers.
 */
export async function startAnvil(options: readonly string[] = []): Promise<Anvil> {
  const child = spawn(process.execPath, [ANVIL, '--host', '127.0.0.1', '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TARGET_TOOL: 'anvil' },
  })
  const stopWithUs = () => void child.kill()
  process.once('exit', stopWithUs)
  const exited = once(child, 'exit').finally(() => process.off('exit', stopWithUs))
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

async function listeningAddress(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    const [, address] = LISTENING.exec(line.trim()) ?? []
    if (!address) continue
    // What it writes later must be read too, or it would stop when the pipe is full.
    child.stdout.resume()
    return address
  }
  throw new Error('anvil ended before it listened')
}
