import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 100

/** Asks until the service no longer says to come again, as it may on a slow machine, where its own time runs out. */
export async function fetchPatiently(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.arrayBuffer()
    await setTimeout(PAUSE_MS)
  }
}
