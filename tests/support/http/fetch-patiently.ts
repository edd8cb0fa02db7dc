import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 100

/** Repeats the request after a 503, which the service may return because a slow machine reaches the time limit. */
export async function fetchPatiently(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.arrayBuffer()
    await setTimeout(PAUSE_MS)
  }
}
