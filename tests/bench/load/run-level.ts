import autocannon from 'autocannon'
import type { LoadRequest } from './requests.ts'

export interface Level {
  connections: number
  seconds: number
}

export interface LevelResult extends Level {
  requests: number
  wrong: string[]
  /** Broken connections and requests that took longer than ten seconds. */
  errors: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  longest: number
}

/** Each connection starts at a different request. */
export async function runLevel(
  baseUrl: string,
  requests: LoadRequest[],
  { connections, seconds }: Level,
): Promise<LevelResult> {
  const durations: number[] = []
  const wrong: string[] = []
  const requestOf = ({ path, isRight }: LoadRequest): autocannon.Request => ({
    path,
    onResponse: (status, body) => {
      if (!isRight(status, body)) wrong.push(`${status} ${path}`)
    },
  })
  let client = 0
  const options: autocannon.Options = {
    url: baseUrl,
    connections,
    duration: seconds,
    timeout: 10,
    setupClient(one) {
      const start = Math.floor((client++ * requests.length) / connections)
      one.setRequests([...requests.slice(start), ...requests.slice(0, start)].map(requestOf))
      one.on('response', (_status, _bytes, durationMs) => durations.push(durationMs))
    },
  }
  const { errors, timeouts, duration } = await autocannon(options)
  durations.sort((a, b) => a - b)
  const at = (part: number) =>
    durations[Math.min(durations.length - 1, Math.floor(durations.length * part))] ?? 0
  return {
    connections,
    seconds,
    requests: durations.length,
    wrong,
    errors: errors + timeouts,
    perSecond: durations.length / duration,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    longest: durations.at(-1) ?? 0,
  }
}
