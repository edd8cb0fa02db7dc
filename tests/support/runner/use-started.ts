/**
 * Starts something before the tests of a file or a block, and calls its `stop` after them. Must be called where jest
 * accepts hooks.
 */
export function useStarted<T extends object>(start: () => Promise<T>): T {
  const started = {} as T & { stop?(): unknown }
  beforeAll(async () => void Object.assign(started, await start()))
  afterAll(() => started.stop?.())
  return started
}

/**
 * Returns a function that returns its argument unchanged. The argument's `stop` is called after all tests, or after
 * each test if `after` is `afterEach`.
 */
export function useStops(after = afterAll) {
  const started: { stop(): unknown }[] = []
  after(() => Promise.all(started.splice(0).map(each => each.stop())))
  return <T extends { stop(): unknown }>(each: T): T => {
    started.push(each)
    return each
  }
}
