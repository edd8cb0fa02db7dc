/** From the folders whose files take longest to those whose files take no time. */
const FOLDERS = ['/thorough/', '/random/', '/both-engines/', '/integration/', '/infra/', '/']

/** How jest orders the test files: short files come last, so that no worker is left with a long one at the end. */
export default class FolderOrder {
  sort(tests) {
    const rankOf = ({ path }) => FOLDERS.findIndex(folder => path.includes(folder))
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1))
  }

  /** Of how long they took this time nothing is kept. */
  cacheResults() {}
}
