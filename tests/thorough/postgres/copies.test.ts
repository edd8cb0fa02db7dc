import { openCopy } from '../../../lib/copies/open-copy.ts'
import { openDatabase } from '../../../lib/copies/open-database.ts'
import { describeCopies } from '../../support/copies/copy-cases.ts'
import { describeQueries } from '../../support/copies/query-cases.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'

const newSchema = usePostgres()

describe('in PostgreSQL', () => describeCopies(newSchema))

describe('queries in PostgreSQL', () => describeQueries(newSchema, 'PostgreSQL'))

test('of followers that begin together in one schema, one makes the copy and the others are told', async () => {
  for (let round = 0; round < 10; round++) {
    const target = await newSchema()
    const opened = await Promise.allSettled(
      ['one', 'another', 'a third'].map(source => openCopy(target, { source })),
    )
    const copies = opened.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    const reasons = opened.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))

    expect(copies).toHaveLength(1)
    expect(reasons).toEqual(['other-copy', 'other-copy'])
    await copies[0]?.close()
  }
})

test('a copy that another source has taken over is not emptied', async () => {
  const target = await newSchema()
  const forgotten = await openCopy(target, { source: 'one' })
  const owner = await openCopy(target, { source: 'another', rebuild: true })

  await expect(forgotten.empty()).rejects.toMatchObject({ code: 'copy-moved' })
  await Promise.all([forgotten.close(), owner.close()])
})

test('tables of somebody else are not touched, on request neither', async () => {
  const target = await newSchema()
  const database = openDatabase(target)
  await database.transaction(async transaction => {
    await transaction.run('CREATE TABLE balances (mine TEXT)')
    await transaction.run("INSERT INTO balances VALUES ('kept')")
  })
  for (const rebuild of [false, true]) {
    await expect(openCopy(target, { source: 'a service', rebuild })).rejects.toThrow(
      /^postgres:\/\/ponder@127\.0\.0\.1:\d+\/postgres has a table balances that belongs to no copy/,
    )
  }
  expect(await database.read('SELECT mine FROM balances')).toEqual([{ mine: 'kept' }])
  await database.close()
})
