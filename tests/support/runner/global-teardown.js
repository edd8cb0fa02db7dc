/** Runs in jest's main process. */
export default async function globalTeardown() {
  await globalThis.stopRunParts()
}
