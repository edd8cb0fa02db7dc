/** The files that take longest: begun first, none of them keeps one worker waiting for the other at the end. */
const SLOWEST = [
  'local-stack',
  'pages',
  'faults',
  'load-command',
  'stack',
  'switching-off',
  'closed-api',
  'index-command',
  'endpoints',
  'consistency-under-writes',
  'corrupt-rows',
  'killed-writers',
  'reorganisations',
  'miniature',
]

/** How jest orders the test files: those by this list, then all others. */
export default class SlowestFirst {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = SLOWEST.findIndex(name => path.endsWith(`/${name}.test.ts`))
      return rank < 0 ? SLOWEST.length : rank
    }
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b))
  }

  /** Of how long they took this time nothing is kept. */
  cacheResults() {}
}
