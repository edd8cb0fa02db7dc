import * as z from 'zod/mini'
import { isPassing } from '../../kit/sqlite-errors.ts'
import { openStateFile } from '../../kit/state-file.ts'
import { StateUnavailableError } from './subscription-state.ts'

/** Opens the state file of `npm run publish`. Throws a one-line error if another publisher uses the file. */
export function openPublisherFile(file: string) {
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
