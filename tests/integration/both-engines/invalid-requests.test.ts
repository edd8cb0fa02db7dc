import { FORMATS } from '../../support/http/http-events.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { expectDetail, type Problem, parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { INVALID_QUERIES } from '../../support/requests/invalid-queries.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
const served = useServedEvents(engine, eventSetOf({ blocks: 2, events: 2 }, 3))

test.each(INVALID_QUERIES.map(invalid => ({ ...invalid, shown: invalid.rawQuery.slice(0, 80) })))(
  '$request.endpoint refuses $shown',
  async ({ request, rawQuery, problems }) => {
    for (const format of FORMATS) {
      expect(problemsOf(await served.ask(request, { format, rawQuery }))).toEqual(problems)
    }
  },
)

test('tells of so many unknown parameters and no more, and of everything that is wrong with known ones', async () => {
  const unknown = Array.from({ length: 150 }, (_, index): [string, string] => [`a${index}`, '1'])
  const query: [string, string][] = [...unknown, ['limit', '0'], ['blockNumber', '0']]

  const { status, body } = await served.ask(tokenEvents(query), 'http-api')

  const { detail, errors } = body as { detail: string; errors: Problem[] }
  expect(status).toBe(400)
  expectDetail(detail, errors)
  expect(detail).toMatch(/; \d+ more in errors, and others that are not listed$/)
  expect(parametersOf(errors)).toEqual(
    [...unknown.slice(0, 100).map(([name]) => name), 'limit', 'blockNumber'].toSorted(),
  )
})

test('detail has every sentence where there is room, and ends with a whole one where there is not', async () => {
  const LIMIT = 'limit: must be an integer of at least 1, in plain decimal digits'
  const details: string[] = []
  for (const names of [0, 1, 2, 3, 4, 5]) {
    const unknown = Array.from({ length: names }, (_, index): [string, string] => [`colour${index}`, '1'])
    const answer = await served.ask(tokenEvents([['limit', '0'], ...unknown]), 'http-api')
    expect(problemsOf(answer)).toHaveLength(names + 1)
    details.push((answer.body as { detail: string }).detail)
  }

  expect(details[0]).toBe(LIMIT)
  expect(details[1]).toMatch(
    new RegExp(`^${LIMIT}; colour0: is not a parameter of token-events, which has .+, user$`),
  )
  expect(details[5]).toMatch(/, user; \d more in errors$/)
})

test.each(['x', USER.slice(0, 41), 'é'.repeat(41)])('refuses the path address %s', async address => {
  for (const format of FORMATS) {
    expect(problemsOf(await served.ask(userEvents(address, [['limit', '0']]), format))).toEqual([
      { parameter: 'address', message: 'must have at least 42 characters' },
      { parameter: 'limit', message: 'must be an integer of at least 1, in plain decimal digits' },
    ])
  }
})

test.each([
  ['limit=5%', 'limit'],
  ['limit=%zz', 'limit'],
  ['event=%ff', 'event'],
  ['=5', ''],
])('refuses the badly encoded query %s', async (rawQuery, parameter) => {
  const problems = problemsOf(await served.ask(tokenEvents(), { format: 'http-api', rawQuery }))

  expect(parametersOf(problems)).toEqual([parameter])
})

test.each([
  [`limit=${'9'.repeat(400)}`],
  ['limit=0000000001'],
  ['skip=9007199254740991'],
  ['blockNumber=100000000&blockNumber=asc'],
  ['blockNumber=asc&blockNumber=000000000000000000001'],
  ['&&limit=5&'],
])('accepts %s', async rawQuery => {
  for (const format of FORMATS) {
    const { status } = await served.ask(tokenEvents(), { format, rawQuery })

    expect({ format, status }).toEqual({ format, status: 200 })
  }
})
