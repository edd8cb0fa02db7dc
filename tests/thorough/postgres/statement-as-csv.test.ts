import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { openCopy } from '../../../lib/callers/copies/open-copy.ts'
import { findPostgres } from '../../bench/peer/start-postgres.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'
import { codeIn } from '../../support/programs/readme-recipes.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useFolder } from '../../support/runner/use-folder.ts'

const run = promisify(execFile)
const newSchema = usePostgres()
const PAGE = path.resolve(import.meta.dirname, '../../../lib/callers/copies/queries.md')
const WALLET = `0x${'d7'.repeat(20)}`
const LARGEST = String(2n ** 256n - 1n)
const RECEIVED = { direction: 'in', token_id: LARGEST, quantity: LARGEST }
const RECEIVED_AT = '2024-06-01T00:00:00.000Z'
const YEAR = { from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' }

const folder = useFolder()

/** The page's SQL statement, and its command line that runs the statement with `program`. */
async function readStatement(program: 'psql' | 'sqlite3') {
  const [query = ''] = codeIn('lib/callers/copies/queries.md', 'sql', "A year's statement")
  const [, line = ''] =
    new RegExp(`\`((?:PGTZ=UTC )?${program} [^\`]+)\``).exec(await readFile(PAGE, 'utf8')) ?? []
  return { query, line }
}

/** Runs the page's command line in a shell, in the folder of the statement's file. */
async function statementBy(program: 'psql' | 'sqlite3', target: string): Promise<Record<string, string>[]> {
  const copy = await openCopy(target, { source: 'a service' })
  const record = makeEvent('TransferSingle', {
    to: WALLET,
    createdAt: RECEIVED_AT,
    tokenIds: [LARGEST],
    quantities: [LARGEST],
  })
  await copy.apply(
    { changes: [{ change: 'added', record }], next: 'all', isUpToDate: true },
    { after: undefined },
  )
  await copy.close()

  const { query, line } = await readStatement(program)
  const settings = Object.entries({ wallet: WALLET, ...YEAR }).map(([name, value]) =>
    program === 'psql' ? `\\set ${name} '''${value}'''\n` : `.parameter set :${name} "'${value}'"\n`,
  )
  await writeFile(path.join(folder, 'statement.sql'), settings.join('') + query)
  const url = new URL(target)
  await run('sh', ['-e', '-c', line], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${await findPostgres()}:${process.env.PATH}`,
      PGOPTIONS: `-c search_path=${url.searchParams.get('search_path')}`,
      URL: target.split('?')[0],
    },
  })
  return parse(await readFile(path.join(folder, 'statement.csv'), 'utf8'), { columns: true })
}

test('psql writes a statement as CSV, quantities exact and times in UTC', async () => {
  expect(await statementBy('psql', await newSchema())).toEqual([
    expect.objectContaining({ ...RECEIVED, created_at: '2024-06-01 00:00:00+00' }),
  ])
})

test('the shell of SQLite writes a statement as CSV, quantities exact', async () => {
  expect(await statementBy('sqlite3', `sqlite:${path.join(folder, 'copy.sqlite')}`)).toEqual([
    expect.objectContaining({ ...RECEIVED, created_at: RECEIVED_AT }),
  ])
})
