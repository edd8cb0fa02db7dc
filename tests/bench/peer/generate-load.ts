/**
 * The process that sends requests. On demand, it repeats one query on a number of connections for a given time.
 * Requests that began within this time are awaited, because the slowest requests would otherwise be missing.
 */
import { Agent, get, type IncomingMessage } from 'node:http'

export interface Slot {
  url: string
  connections: number
  slotMs: number
}

process.on('message', async (slot: Slot) => process.send?.(await runSlot(slot)))
process.once('disconnect', () => process.exit())

/** Returns the requests' durations as the caller sees them, in milliseconds. Throws if a request fails. */
async function runSlot({ url, connections, slotMs }: Slot): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const durations: number[] = []
  let endsAt: number | undefined
  const askAllTheTime = async () => {
    // The first request is not measured, because it opens the connection and wakes idle processes.
    await ask(url, agent)
    endsAt ??= performance.now() + slotMs
    do durations.push(await ask(url, agent))
    while (performance.now() < endsAt)
  }
  await Promise.all(Array.from({ length: connections }, askAllTheTime))
  agent.destroy()
  return durations
}

async function ask(url: string, agent: Agent) {
  const startedAt = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject)
  })
  for await (const _ of response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} from ${url}`)
  return performance.now() - startedAt
}
