import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 100

/** A slow machine may reach the service's time limit, at which the service returns 503. */
export async function fetchPatiently(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.arrayBuffer()
    await setTimeout(PAUSE_MS)
  }
}
