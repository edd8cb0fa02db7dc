import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'

const GENERATE = fileURLToPath(new URL('./generate-load.ts', import.meta.url))

export interface Slot {
  url: string
  connections: number
  slotMs: number
}

export interface SlotResult {
  /** The requests' durations as the caller sees them, in milliseconds. */
  durations: number[]
  failures: number
}

export type LoadGenerator = ReturnType<typeof startLoadGenerator>

export function startLoadGenerator() {
  const { child, message, stop } = forkPart(GENERATE, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    /** Throws if a request fails. */
    async run(slot: Slot) {
      child.send(slot)
      const result = await message<SlotResult>()
      if (result.failures > 0) throw new Error(`${result.failures} requests failed: ${slot.url}`)
      return result
    },
    stop,
  }
}
