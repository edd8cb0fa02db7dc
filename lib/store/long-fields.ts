import * as z from 'zod/mini'

/** The fields of a record that have no bound on chain, as a large record's chunks hold them. */
export const longFieldsSchema = z.strictObject({
  tokenIds: z.optional(z.array(z.string())),
  quantities: z.optional(z.array(z.string())),
  bucketHash: z.optional(z.string()),
})

export type LongFields = z.infer<typeof longFieldsSchema>

/** Whether a field of a record has no bound on chain. */
export const isLongField = (name: string): boolean => Object.hasOwn(longFieldsSchema.shape, name)
