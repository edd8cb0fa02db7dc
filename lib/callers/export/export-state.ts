import * as z from 'zod/mini'
import { countSchema } from '../../events/record-fields.ts'
import { openStateFile, type StateFile } from '../../kit/state-file.ts'

const exportStateSchema = z.object({
  request: z.string(),
  /** The next cursor. Undefined at the beginning, and when the export is complete. */
  cursor: z.optional(z.string()),
  /** The valid length of the part file, in bytes. */
  bytes: countSchema,
  /** The number of records within that valid length. */
  records: countSchema,
  isComplete: z.boolean(),
  /** The total number of records. */
  total: z.optional(countSchema),
  /** A lower bound of the number of records. Set instead of `total` if the service did not count all records. */
  totalAtLeast: z.optional(countSchema),
})

export type ExportState = z.infer<typeof exportStateSchema>

/** Opens the file that stores an export's progress. Throws a one-line error if another export holds the file. */
export const openExportState = (file: string): StateFile<ExportState> =>
  openStateFile(file, {
    name: 'export',
    schema: exportStateSchema,
    option: '--out',
    remedy: 'begin again with --restart',
  })
