import { $ZodDiscriminatedUnion, $ZodObjectJIT, parse } from 'zod/v4/core'
import { type EventRecord, eventRecordSchema } from './record.ts'

// The schemas of `zod/mini` walk through an object's fields. These are the same definitions compiled to code
// when the first record of a kind is read, which checks every record in half the time.
const { def } = eventRecordSchema
const compiledSchema = new $ZodDiscriminatedUnion({
  ...def,
  discriminator: 'event',
  options: def.options.map(option => new $ZodObjectJIT(option.def)),
})

/** Checks all of a record, as `eventRecordSchema` does. Throws a `ZodError`. */
export const parseRecord = (candidate: unknown): EventRecord =>
  parse(compiledSchema, candidate) as EventRecord
