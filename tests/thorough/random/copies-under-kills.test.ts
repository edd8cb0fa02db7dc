import { describeLives } from '../../support/copies/copy-lives.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'

const writeText = useTextFiles()
let files = 0

describe('in SQLite', () =>
  describeLives(async () => {
    files += 1
    return `sqlite:${await writeText(`copy-${files}.sqlite`, '')}`
  }))
