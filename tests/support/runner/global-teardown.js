/** After the last test file, in jest's own process. */
export default async function globalTeardown() {
  await globalThis.stopRunParts()
}
