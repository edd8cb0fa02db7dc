import postgres from 'postgres'
import { openCopy } from '../../../lib/copies/open-copy.ts'
import { describeCopies } from '../../support/copies/copy-cases.ts'
import { describeQueries } from '../../support/copies/query-cases.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'

const newSchema = usePostgres()

describe('in PostgreSQL', () => describeCopies(newSchema))

describe('queries in PostgreSQL', () => describeQueries(newSchema, 'PostgreSQL'))

test('tables of somebody else are not touched, on request neither', async () => {
  const target = await newSchema()
  const sql = postgres(target, { max: 1 })
  await sql`CREATE TABLE balances (mine TEXT)`
  await sql`INSERT INTO balances VALUES ('kept')`
  for (const rebuild of [false, true]) {
    await expect(openCopy(target, { source: 'a service', rebuild })).rejects.toThrow(
      /^postgres:\/\/ponder@127\.0\.0\.1:\d+\/postgres has a table balances that belongs to no copy/,
    )
  }
  expect(await sql`SELECT mine FROM balances`).toHaveLength(1)
  await sql.end()
})
