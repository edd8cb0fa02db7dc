import type { ChangePage } from '../../../client/create-events-client.ts'

interface Lag {
  /** The suffix of a progress line. Empty if the lag is unknown. */
  text: string
  /** For each network, the age of its newest indexed block. */
  lagSeconds: Record<string, number> | undefined
}

/** Describes the age of each network's newest indexed block. A page of the service has the block's time. */
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
