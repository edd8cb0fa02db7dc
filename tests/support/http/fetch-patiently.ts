import { setTimeout } from 'node:timers/promises'

const PAUSE_MS = 100

/** Repeats the request after a 503. On a slow machine, the service may reach its time limit and then return a 503. */
export async function fetchPatiently(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.arrayBuffer()
    await setTimeout(PAUSE_MS)
  }
}
