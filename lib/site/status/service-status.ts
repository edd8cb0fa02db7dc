import * as z from 'zod/mini'
import { NETWORKS } from '../../events/networks.ts'
import { countSchema, timeSchema } from '../../events/record-fields.ts'
import type { AuditedThrough, IndexedThrough } from '../../query/indexed-through.ts'

const throughSchema = z.strictObject({ blockNumber: countSchema, timestamp: timeSchema })

const networkStatusSchema = z.strictObject({
  network: z.enum(NETWORKS),
  indexedThrough: throughSchema,
  finalizedBlock: z.optional(countSchema),
  auditedThrough: z.optional(throughSchema),
  lagSeconds: countSchema,
})

export const serviceStatusSchema = z.strictObject({
  version: z.string(),
  networks: z.array(networkStatusSchema),
})

export type ServiceStatus = z.infer<typeof serviceStatusSchema>

/** The networks are in alphabetical order. The lag is 0 if a block's timestamp is ahead of the local clock. */
export function serviceStatus(
  version: string,
  { networks, nowMs }: { networks: readonly IndexedThrough[]; nowMs: number },
): ServiceStatus {
  return {
    version,
    networks: networks
      .map(({ network, blockNumber, timestamp, finalizedBlock, auditedThrough }) => ({
        network,
        indexedThrough: through({ blockNumber, timestamp }),
        ...(finalizedBlock !== undefined && { finalizedBlock }),
        ...(auditedThrough && { auditedThrough: through(auditedThrough) }),
        lagSeconds: Math.max(0, Math.floor(nowMs / 1000) - timestamp),
      }))
      .toSorted((a, b) => (a.network < b.network ? -1 : 1)),
  }
}

const through = ({ blockNumber, timestamp }: AuditedThrough) => ({
  blockNumber,
  timestamp: new Date(timestamp * 1000).toISOString(),
})
