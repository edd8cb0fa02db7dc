import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Address, createTestClient, type Hex, http, publicActions, walletActions } from 'viem'
import { forkPart } from '../local/processes/fork-part.ts'
import type { Part } from '../local/processes/running-parts.ts'

const RUN_ANVIL = fileURLToPath(new URL('./run-anvil.ts', import.meta.url))
const LISTENING = /^Listening on ([\d.]+:\d+)$/

export interface Anvil extends Part {
  rpcUrl: string
}

/**
 * Starts anvil, an Ethereum development node, with the given command-line options on a port of this machine. By
 * default, uses a free port. Resolves when the node accepts requests. The node ends when the process that started it
 * ends, even if that process is killed. The terminal's Ctrl-C does not reach the node.
 */
export async function startAnvil(options: readonly string[] = [], port = 0): Promise<Anvil> {
  const { child, ended, stop } = forkPart(
    RUN_ANVIL,
    ['--host', '127.0.0.1', '--port', String(port), ...options],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { ...process.env, TARGET_TOOL: 'anvil' } },
  )
  const address = await Promise.race([
    listeningAddress(child),
    ended.then(how => {
      throw new Error(`anvil ended (${how})`)
    }),
  ])
  return { rpcUrl: `http://${address}`, ended, stop }
}

async function listeningAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The node (anvil) has no standard output')
  for await (const line of createInterface({ input: stdout })) {
    const [, address] = LISTENING.exec(line.trim()) ?? []
    if (!address) continue
    // Anvil's output must still be read after the start, because a full pipe would block anvil.
    stdout.resume()
    return address
  }
  throw new Error('The node (anvil) ended before it was ready')
}

/** The command-line options for a node that mines a block only on request, and keeps the order of the transactions. */
export const nodeOptions = (options: Record<string, number>): string[] => [
  ...['--no-mining', '--order', 'fifo'],
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
]

export interface Transaction {
  from: Address
  to?: Address | undefined
  data: Hex
}

/** Enough gas for any call to a Collectibles contract, so that the node does not have to estimate it. */
const GAS = 20_000_000n

/** Mines one block with these transactions and this timestamp, in Unix seconds. */
export async function mineBlock(client: NodeClient, transactions: readonly Transaction[], seconds: number) {
  for (const { from, to, data } of transactions) {
    await client.sendTransaction({ account: from, to, data, gas: GAS, chain: null })
  }
  await client.setNextBlockTimestamp({ timestamp: BigInt(seconds) })
  await client.mine({ blocks: 1 })
}

export const nodeClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)

export type NodeClient = ReturnType<typeof nodeClient>
