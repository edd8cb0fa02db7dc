import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const GENERATE = fileURLToPath(new URL('./generate-load.ts', import.meta.url))

/** A query to a service, with a number of connections and a duration. */
export interface Slot {
  url: string
  connections: number
  slotMs: number
}

export interface SlotResult {
  /** The latency of each request for the caller, in milliseconds. */
  durations: number[]
  /** The times in the functions' `Server-Timing`, in milliseconds. */
  functionMs: number[]
  /** The number of answers other than 200. */
  failures: number
}

export interface LoadGenerator {
  /** Throws if a request fails. */
  run(slot: Slot): Promise<SlotResult>
  stop(): Promise<void>
}

/** Starts the process that sends requests. */
export function startLoadGenerator(): LoadGenerator {
  const { child, message, stop } = forkPart(GENERATE, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    async run(slot) {
      child.send(slot)
      const result = await message<SlotResult>()
      if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${slot.url}`)
      return result
    },
    stop,
  }
}
