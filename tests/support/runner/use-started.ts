/** Starts something for the tests of a file or a block, and then calls its `stop`. Call where jest accepts hooks. */
export function useStarted<T extends object>(start: () => Promise<T>): T {
  const started = {} as T & { stop?(): unknown }
  beforeAll(async () => void Object.assign(started, await start()))
  afterAll(() => started.stop?.())
  return started
}

/** Returns a function that returns its argument, whose `stop` is called after the tests (or after each test). */
export function useStops(after = afterAll) {
  const started: { stop(): unknown }[] = []
  after(() => Promise.all(started.splice(0).map(each => each.stop())))
  return <T extends { stop(): unknown }>(each: T): T => {
    started.push(each)
    return each
  }
}
