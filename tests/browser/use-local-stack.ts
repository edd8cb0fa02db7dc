import path from 'node:path'
import { type PlacedStack, useLocalStacks } from '../support/programs/local-stack.ts'

/** Runs the local stack with the bundled events during the tests of the calling file. */
export function useLocalStack(): { readonly baseUrl: string } {
  const { folder, run } = useLocalStacks()
  let stack: PlacedStack | undefined

  beforeAll(async () => {
    stack = await run(['--data-dir', path.join(folder, 'data')])
    await stack.untilReady()
  })

  return {
    get baseUrl() {
      if (!stack) throw new Error('The local stack runs only while tests run')
      return stack.url
    },
  }
}
