/**
 * The process that sends requests. On demand, it repeats one query on a number of connections for a given time.
 * Requests that began within this time are awaited, because the slowest requests would otherwise be missing.
 */
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Slot, SlotResult } from './load-generator.ts'

process.on('message', async (slot: Slot) => process.send?.(await runSlot(slot)))
process.once('disconnect', () => process.exit())

async function runSlot({ url, connections, slotMs }: Slot): Promise<SlotResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: SlotResult = { durations: [], failures: 0 }
  let endsAt: number | undefined
  const askAllTheTime = async () => {
    // The first request is not measured, because it opens the connection and wakes idle processes.
    await ask(url, agent)
    endsAt ??= performance.now() + slotMs
    do {
      const { ms, status } = await ask(url, agent)
      result.durations.push(ms)
      if (status !== 200) result.failures += 1
    } while (performance.now() < endsAt)
  }
  await Promise.all(Array.from({ length: connections }, askAllTheTime))
  agent.destroy()
  return result
}

async function ask(url: string, agent: Agent) {
  const startedAt = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject)
  })
  for await (const _ of response);
  return { ms: performance.now() - startedAt, status: response.statusCode }
}
