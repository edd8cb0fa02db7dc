import * as z from 'zod/mini'
import { NETWORKS } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_LOG_INDEX, MAX_SECONDS } from '../../events/place.ts'

export const integer = (maximum: number) => {
  const error = `must be an integer from 0 to ${maximum}, as a number or as a 0x string`
  return z.pipe(
    z.union([z.number({ error }), z.string({ error }).check(z.regex(/^0x[0-9a-fA-F]{1,64}$/, { error }))], {
      error,
    }),
    z.pipe(
      z.transform(Number),
      z.int({ error }).check(z.minimum(0, { error }), z.maximum(maximum, { error })),
    ),
  )
}

export const hexOf = (bytes: number) => {
  const error = `must be 0x and ${bytes * 2} hex digits`
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`)
  return z.string({ error }).check(z.regex(pattern, { error }), z.toLowerCase())
}

const dataError = 'must be 0x and an even number of hex digits'
const topicsError = 'must be a list of at most 4 topics'

/** Accepts hex in any letter case, and converts it to lower case. Ignores unlisted fields. */
const rawLogSchema = z.object(
  {
    network: z.enum(NETWORKS, { error: `must be one of ${NETWORKS.join(', ')}` }),
    address: hexOf(20),
    topics: z.array(hexOf(32), { error: topicsError }).check(z.maxLength(4, { error: topicsError })),
    data: z.string({ error: dataError }).check(
      // If the pattern had a repeated group, long data would exhaust the regex engine's stack.
      z.regex(/^0x[0-9a-fA-F]*$/, { error: dataError }),
      z.refine(data => data.length % 2 === 0, { error: dataError }),
      z.toLowerCase(),
    ),
    blockNumber: integer(MAX_BLOCK_NUMBER),
    blockHash: hexOf(32),
    /** Unix seconds. */
    blockTimestamp: integer(MAX_SECONDS),
    transactionHash: hexOf(32),
    logIndex: integer(MAX_LOG_INDEX),
    /** Nodes set `removed` on a log whose block was orphaned. Such a log is not an event. */
    removed: z.nullish(z.literal(false, { error: 'is set, so a reorganisation has removed the log' })),
  },
  { error: 'must be a JSON object' },
)

export type RawLog = z.infer<typeof rawLogSchema>

/** Some nodes return the time 0 instead of no time. Only a genesis block could have this time, but it has no logs. */
export const hasTime = ({ blockTimestamp }: { blockTimestamp?: unknown }): boolean =>
  Number(blockTimestamp ?? 0) !== 0

/** The rejection lists every problem, not only the first. */
export function parseRawLog(value: unknown): { log: RawLog } | { rejection: Rejection } {
  const result = rawLogSchema.safeParse(value)
  if (result.success) return { log: result.data }
  const problems = result.error.issues.map(
    ({ path, message }) => `${pathText(path)} ${isMissing(value, path) ? 'is missing' : message}`,
  )
  return { rejection: { code: 'malformed', reason: [...new Set(problems)].join('; ') } }
}

const isMissing = (value: unknown, [name, ...deeper]: readonly PropertyKey[]): boolean =>
  name !== undefined && deeper.length === 0 && (value as Record<PropertyKey, unknown>)[name] === undefined

const pathText = (path: readonly PropertyKey[]) =>
  path.length === 0
    ? 'a log'
    : path.map(part => (typeof part === 'number' ? `[${part}]` : String(part))).join('')

/** Why a log does not become a record. `code` is stable, but the wording of `reason` can change. */
export interface Rejection {
  code: RejectionCode
  reason: string
}

export type RejectionCode =
  /** The line or the log is malformed. */
  | 'malformed'
  /** The file ends in the middle of the log. */
  | 'cut-off'
  /** No known event has the log's first topic. */
  | 'unknown-event'
  /** The first topic is known, but this contract does not index the same parameters as the known events. */
  | 'other-parameters'
  /** The topics or the data are not encoded as the event's signature requires. */
  | 'bad-encoding'
  /** The values can be decoded, but a record cannot contain them. */
  | 'bad-values'
  /** The log contradicts an event that was read earlier, or the block that provides the log's time. */
  | 'broken-invariant'
  /** The table does not include the log's network. */
  | 'other-network'

export const rejected = (code: RejectionCode, reason: string): { rejection: Rejection } => ({
  rejection: { code, reason },
})
