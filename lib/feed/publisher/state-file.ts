import { statSync } from 'node:fs'
import * as z from 'zod/mini'
import { isPassing } from '../../kit/sqlite-errors.ts'
import { openStateFile } from '../../kit/state-file.ts'
import { StateUnavailableError } from './subscription-state.ts'

/**
 * Opens the state file of `npm run publish`. Throws a one-line error if another publisher uses the file, or if the file
 * is empty. An empty file may have lost its state, and a publisher that began again would leave out changes.
 */
export function openPublisherFile(file: string) {
  // SQLite also treats a file of one byte as empty.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= 1)
    throw new Error(
      `${file} is empty, so any state that it contained is lost: delete the file, and begin again, with --from beginning if the receiver may lack changes`,
    )
  const kept = openStateFile(file, {
    name: 'publication',
    schema: z.string(),
    option: '--state',
    remedy: 'choose another file',
  })
  return {
    read: async () => kept.read(),
    async write(_name: string, state: string) {
      try {
        kept.write(state)
      } catch (error) {
        throw isPassing((error as Error).cause) ? new StateUnavailableError(error as Error) : error
      }
    },
    close: () => kept.close(),
  }
}
