import { startRunParts } from './run-parts.ts'

/** Before the first test file, in jest's own process. */
export default async function globalSetup() {
  const { address, stop } = await startRunParts()
  process.env.TEST_RUN_PARTS = address
  globalThis.stopRunParts = stop
}
