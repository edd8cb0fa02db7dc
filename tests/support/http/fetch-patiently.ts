import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 100

/** Repeats a request as long as the service returns 503, because a slow machine may reach the service's time limit. */
export async function fetchPatiently(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.arrayBuffer()
    await setTimeout(PAUSE_MS)
  }
}
