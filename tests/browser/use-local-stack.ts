import path from 'node:path'
import { useLocalStacks } from '../support/programs/local-stack.ts'
import { useStarted } from '../support/runner/use-started.ts'

/** Runs the local stack with the bundled events during the tests of the calling file. */
export function useLocalStack(): { readonly baseUrl: string } {
  const { folder, runReady } = useLocalStacks()
  return useStarted(async () => {
    const { url: baseUrl } = await runReady(['--data-dir', path.join(folder, 'data')])
    return { baseUrl }
  })
}
