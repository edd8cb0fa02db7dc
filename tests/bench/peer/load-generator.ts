import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const GENERATE = fileURLToPath(new URL('./generate-load.ts', import.meta.url))

/** One query to one service, asked on so many connections for so long. */
export interface Slot {
  url: string
  connections: number
  slotMs: number
}

export interface SlotResult {
  /** Of each request, as the caller sees it, in milliseconds. */
  durations: number[]
  /** What the functions' `Server-Timing` says, in milliseconds. */
  functionMs: number[]
  /** Answers other than 200. */
  failures: number
}

export interface LoadGenerator {
  /** Throws when a request fails. */
  run(slot: Slot): Promise<SlotResult>
  stop(): Promise<void>
}

/** Starts the process that asks. */
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
