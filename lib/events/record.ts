import * as z from 'zod/mini'
import { EVENT_KINDS, type EventKind, type FieldForm, KINDS, type OwnFields } from './event-kinds.ts'
import { NETWORKS } from './networks.ts'
import { addressSchema, countSchema, hashSchema, timeSchema, uint256Schema } from './record-fields.ts'

interface Lists {
  tokenIds?: readonly unknown[]
  quantities?: readonly unknown[]
}

/** EIP-1155 requires both lists to have the same length. */
export function unevenLists({ tokenIds = [], quantities = [] }: Lists): string | undefined {
  if (tokenIds.length === quantities.length) return undefined
  return `the number of tokenIds is ${tokenIds.length}, but the number of quantities is ${quantities.length}`
}

const evenLists = z.check<object>(({ value, issues }) => {
  const message = unevenLists(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value })
})

const common = {
  id: z.string().check(z.regex(/^[a-z-]+:0x[0-9a-f]{64}:[0-9]+$/)),
  network: z.enum(NETWORKS),
  address: addressSchema,
  blockNumber: countSchema,
  blockHash: hashSchema,
  transactionHash: hashSchema,
  logIndex: countSchema,
  createdAt: timeSchema,
}

const FORMS = {
  user: addressSchema,
  address: addressSchema,
  text: z.string(),
  uint256: uint256Schema,
  ids: z.array(uint256Schema),
  quantities: z.array(uint256Schema),
} satisfies Record<FieldForm, z.ZodMiniType>

type OwnShape<Kind extends EventKind> = {
  -readonly [Name in keyof OwnFields<Kind>]: (typeof FORMS)[OwnFields<Kind>[Name] & FieldForm]
}

type RecordSchema = {
  [Kind in EventKind]: z.ZodMiniObject<
    { event: z.ZodMiniLiteral<Kind> } & typeof common & OwnShape<Kind>,
    z.core.$strict
  >
}[EventKind]

/** Kinds with the same fields, such as the two kinds of transfers, share a schema. */
const SCHEMAS = [...Map.groupBy(EVENT_KINDS, kind => KINDS[kind].fields)].map(([fields, kinds]) => {
  const own = Object.fromEntries(Object.entries(fields).map(([name, form]) => [name, FORMS[form]]))
  return z.strictObject({ event: z.literal(kinds), ...common, ...own }).check(evenLists)
}) as unknown as [RecordSchema, ...RecordSchema[]]

/** The schema of an event, both in the table and in answers. */
export const eventRecordSchema = z.discriminatedUnion('event', SCHEMAS)

export type EventRecord = z.infer<typeof eventRecordSchema>
