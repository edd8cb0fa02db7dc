import { openCopy, openDatabase } from '../../../lib/callers/copies/open-copy.ts'
import { describeCopies } from '../../support/copies/copy-cases.ts'
import { describeQueries } from '../../support/copies/query-cases.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'
import { makeEvent } from '../../support/records/make-event.ts'

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
    const reasons = opened.flatMap(result => (result.status === 'rejected' ? [result.reason.message] : []))

    expect(copies).toHaveLength(1)
    const isTold = expect.stringContaining(': choose another database, or use --rebuild')
    expect(reasons).toEqual([isTold, isTold])
    await copies[0]?.close()
  }
})

describe('with several schemas in the search path', () => {
  /** The copy belongs in the first of the two schemas. */
  async function twoSchemas() {
    const [own, shared] = [await newSchema(), await newSchema()]
    const [both, last] = [new URL(own), new URL(shared).searchParams.get('search_path')]
    both.searchParams.set('search_path', `${both.searchParams.get('search_path')},${last}`)
    return { own, shared, both: both.href }
  }
  const record = makeEvent('TransferSingle')
  const page = { changes: [{ change: 'added', record } as const], next: 'all', isUpToDate: true }

  test.each([
    ['another', false],
    ['another', true],
    ['the same', true],
  ])('a follower of %s service leaves a copy in a later schema (rebuild: %s)', async (service, rebuild) => {
    const { own, shared, both } = await twoSchemas()
    const other = await openCopy(shared, { source: 'the same service' })
    await other.apply(page, { after: undefined })

    const copy = await openCopy(both, { source: `${service} service`, rebuild })
    expect([await copy.count(), await copy.cursor()]).toEqual([0, undefined])
    await copy.apply(page, { after: undefined })
    await copy.empty()

    expect([await other.count(), await other.cursor()]).toEqual([1, 'all'])
    const indexes = await other.read("SELECT to_regclass('transfers_by_token')::text AS name")
    expect(indexes).toEqual([{ name: 'transfers_by_token' }])
    const alone = await openCopy(own, { source: `${service} service` })
    expect(await alone.count()).toBe(0)
    await Promise.all([other, copy, alone].map(each => each.close()))
  })

  test('a table of somebody else in a later schema does not hinder a copy', async () => {
    const { shared, both } = await twoSchemas()
    const database = openDatabase(shared)
    await database.transaction(transaction => transaction.run('CREATE TABLE balances (mine TEXT)'))
    const copy = await openCopy(both, { source: 'a service' })
    await copy.apply(page, { after: undefined })

    expect(await copy.count()).toBe(1)
    expect(await database.read('SELECT mine FROM balances')).toEqual([])
    await Promise.all([copy.close(), database.close()])
  })
})
