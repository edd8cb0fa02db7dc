import * as z from 'zod/mini'
import { countSchema, timeSchema } from '../../events/field-schemas.ts'
import { NETWORKS } from '../../events/networks.ts'
import type { IndexedThrough } from '../../query/indexed-through.ts'

const networkStatusSchema = z.strictObject({
  network: z.enum(NETWORKS),
  indexedThrough: z.strictObject({ blockNumber: countSchema, timestamp: timeSchema }),
  finalizedBlock: z.optional(countSchema),
  lagSeconds: countSchema,
})

/** What the service is, and how current. */
export const serviceStatusSchema = z.strictObject({
  version: z.string(),
  networks: z.array(networkStatusSchema),
})

export type ServiceStatus = z.infer<typeof serviceStatusSchema>

interface Moment {
  networks: readonly IndexedThrough[]
  nowMs: number
}

/** The networks in alphabetical order. Where a block's clock is ahead of ours there is no lag. */
export function serviceStatus(version: string, { networks, nowMs }: Moment): ServiceStatus {
  return {
    version,
    networks: networks
      .map(({ network, blockNumber, timestamp, finalizedBlock }) => ({
        network,
        indexedThrough: { blockNumber, timestamp: new Date(timestamp * 1000).toISOString() },
        ...(finalizedBlock !== undefined && { finalizedBlock }),
        lagSeconds: Math.max(0, Math.floor(nowMs / 1000) - timestamp),
      }))
      .toSorted((a, b) => (a.network < b.network ? -1 : 1)),
  }
}
