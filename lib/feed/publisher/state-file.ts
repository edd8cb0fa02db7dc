import * as z from 'zod/mini'
import { openStateFile } from '../../kit/state-file.ts'

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
    write: async (_name: string, state: string) => kept.write(state),
    close: () => kept.close(),
  }
}
