import type { ChangePage } from '../../../lib/client/create-events-client.ts'

interface Lag {
  /** What is added to a line; empty where nothing is known. */
  text: string
  /** The age of the newest block that is known, by network. */
  lagSeconds: Record<string, number> | undefined
}

/** How old the newest block is that each network is known up to, as the service tells it with a page. */
export function describeLag(
  { indexedThrough }: Pick<ChangePage, 'indexedThrough'>,
  { now }: { now: number },
): Lag {
  const ages = (indexedThrough ?? '').split(', ').flatMap((part): [string, number][] => {
    const [, network, time] = /^([^=]+)=\d+@(.+)$/.exec(part) ?? []
    return network && time ? [[network, Math.max(0, Math.round((now - Date.parse(time)) / 1000))]] : []
  })
  if (ages.length === 0) return { text: '', lagSeconds: undefined }
  const text = ages.map(([network, seconds]) => `${network} ${seconds} s`).join(', ')
  return { text: `; behind the clock: ${text}`, lagSeconds: Object.fromEntries(ages) }
}
