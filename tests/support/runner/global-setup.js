import path from 'node:path'
import { defineEnvironment } from './define-environment.js'
import { startRunParts } from './run-parts.ts'

/** The cache of compiled code halves the start time of the commands and the local stack. */
const COMPILE_CACHE = path.join(import.meta.dirname, '../../../.local/compile-cache')

export default async function globalSetup() {
  defineEnvironment()
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE
  const { address, stop } = await startRunParts()
  process.env.TEST_RUN_PARTS = address
  globalThis.stopRunParts = stop
}
