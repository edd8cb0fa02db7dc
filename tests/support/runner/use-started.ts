/** Starts something for the tests of a file or a block, and then calls its `stop`. Call where jest accepts hooks. */
export function useStarted<T extends object>(start: () => Promise<T>): T {
  const started = {} as T & { stop?(): unknown }
  beforeAll(async () => void Object.assign(started, await start()))
  afterAll(() => started.stop?.())
  return started
}
