import { EVENT_KINDS, ZERO_ADDRESS } from '../../../lib/events/event-kinds.ts'
import { usersOf } from '../../../lib/events/lists.ts'
import type { EventRecord } from '../../../lib/events/record.ts'

const LOOKED_AT = 500
const UNAUTHORIZED = 401

/**
 * Resolves with three URLs: the latest events of a user with many recent events, the first events of a contract with
 * many early events, and events of a rare kind. Empty if there are no events. Undefined if the service is not public.
 */
export async function sampleRequests(baseUrl: string): Promise<string[] | undefined> {
  if ((await fetch(`${baseUrl}/v1/token-events?limit=1`)).status === UNAUTHORIZED) return undefined
  const latest = await ask(`${baseUrl}/v1/token-events?limit=${LOOKED_AT}`)
  if (latest.length === 0) return []
  const [user] = byFrequency(latest.flatMap(usersOf).filter(address => address !== ZERO_ADDRESS))
  const earliest = await ask(`${baseUrl}/v1/token-events?createdAt=asc&limit=${LOOKED_AT}`)
  const [token] = byFrequency(earliest.map(record => record.address))
  const kind = await rarestKind(baseUrl, latest)
  return [
    `${baseUrl}/v1/user-events/${user ?? usersOf(latest[0] as EventRecord)[0]}?createdAt=desc&limit=5`,
    `${baseUrl}/v1/token-events?address=${token}&blockNumber=asc&limit=5`,
    `${baseUrl}/v1/token-events?event=${kind}&limit=5`,
  ]
}

/** Ignores kinds that have no events at all. */
async function rarestKind(baseUrl: string, latest: EventRecord[]): Promise<string | undefined> {
  const existing = await Promise.all(
    EVENT_KINDS.map(kind => ask(`${baseUrl}/v1/token-events?event=${kind}&limit=1`)),
  )
  return byFrequency([...latest, ...existing.flat()].map(record => record.event)).at(-1)
}

async function ask(url: string): Promise<EventRecord[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The API answers ${response.status} to ${url}: ${await response.text()}`)
  return (await response.json()) as EventRecord[]
}

const byFrequency = (values: string[]): string[] =>
  [...Map.groupBy(values, value => value)].sort(([, a], [, b]) => b.length - a.length).map(([value]) => value)
