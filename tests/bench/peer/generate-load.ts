/**
 * The process that asks: one query over and over on so many connections, whenever it is told to. What has
 * been asked before the time is up is waited for: to leave it out would leave out the slowest.
 */
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Slot, SlotResult } from './load-generator.ts'

process.on('message', async (slot: Slot) => process.send?.(await runSlot(slot)))
process.once('disconnect', () => process.exit())

async function runSlot({ url, connections, slotMs }: Slot): Promise<SlotResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: SlotResult = { durations: [], functionMs: [], failures: 0 }
  let endsAt: number | undefined
  const askAllTheTime = async () => {
    // The first one connects, and wakes what has slept since the last slot.
    await ask(url, agent)
    endsAt ??= performance.now() + slotMs
    do note(result, await ask(url, agent))
    while (performance.now() < endsAt)
  }
  await Promise.all(Array.from({ length: connections }, askAllTheTime))
  agent.destroy()
  return result
}

interface Answer {
  ms: number
  status: number | undefined
  /** What our functions say of themselves; nobody else says anything. */
  functionMs: number | undefined
}

async function ask(url: string, agent: Agent): Promise<Answer> {
  const startedAt = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject)
  })
  for await (const _ of response);
  const [, said] = /total;dur=([\d.]+)/.exec(String(response.headers['server-timing'])) ?? []
  return {
    ms: performance.now() - startedAt,
    status: response.statusCode,
    functionMs: said === undefined ? undefined : Number(said),
  }
}

function note(result: SlotResult, { ms, status, functionMs }: Answer) {
  result.durations.push(ms)
  if (functionMs !== undefined) result.functionMs.push(functionMs)
  if (status !== 200) result.failures += 1
}
