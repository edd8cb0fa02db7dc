/** The files that take longest: begun first, none of them keeps one worker waiting for the other at the end. */
const SLOWEST = [
  'local-stack',
  'changes-at-any-write',
  'pages',
  'stack',
  'export-command',
  'corrupt-rows',
  'index-start',
  'index-command',
  'switching-off',
  'stop-commands',
  'follow-under-faults',
  'faults',
  'killed-writers',
  'budgets',
  'load-command',
  'show-command',
  'fuzz-http',
  'every-filter',
  'walk-through',
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
