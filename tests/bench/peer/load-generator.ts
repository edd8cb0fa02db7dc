import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const GENERATE = fileURLToPath(new URL('./generate-load.ts', import.meta.url))

export interface Slot {
  url: string
  connections: number
  slotMs: number
}

export interface SlotResult {
  /** As the caller sees them, in milliseconds. */
  durations: number[]
  /** From the functions' `Server-Timing`, in milliseconds. */
  functionMs: number[]
  failures: number
}

export interface LoadGenerator {
  /** Throws if a request fails. */
  run(slot: Slot): Promise<SlotResult>
  stop(): Promise<void>
}

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
