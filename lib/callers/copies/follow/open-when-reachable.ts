import type { Patience } from '../../../client/create-patience.ts'
import { CopyUnavailableError } from '../copy-errors.ts'
import type { EventCopy } from '../open-copy.ts'

/** Opens a copy, and waits as long as its database is unreachable. Throws all other errors of `open`. */
export async function openWhenReachable(
  open: () => Promise<EventCopy>,
  patience: Patience,
): Promise<EventCopy> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof CopyUnavailableError)) throw error
      await patience.waitOut(error)
    }
  }
}
