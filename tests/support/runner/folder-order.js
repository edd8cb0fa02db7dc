/** The folders, ordered by the duration of their files, longest first. */
const FOLDERS = ['/thorough/', '/random/', '/both-engines/', '/integration/', '/infra/', '/']

/** Jest runs short files last, so that no worker ends with a long file. */
export default class FolderOrder {
  sort(tests) {
    const rankOf = ({ path }) => FOLDERS.findIndex(folder => path.includes(folder))
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1))
  }

  cacheResults() {}
}
