import path from 'node:path'
import { defineEnvironment } from './define-environment.js'
import { startRunParts } from './run-parts.ts'

/** Halves the time in which the commands and the local stack start. */
const COMPILE_CACHE = path.join(import.meta.dirname, '../../../.local/compile-cache')

/** Before the first test file, in jest's own process. */
export default async function globalSetup() {
  defineEnvironment()
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  const { address, stop } = await startRunParts()
  process.env.TEST_RUN_PARTS = address
  globalThis.stopRunParts = stop
}
