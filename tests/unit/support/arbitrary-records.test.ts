import fc from 'fast-check'
import { valuesOf } from '../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { filtersOf, requestsOn } from '../../support/requests/arbitrary-requests.ts'

const sample = eventSetOf({ blocks: 12, events: 5, crowd: 20 }, 7)
const FINALITY = { base: 12, polygon: 8, ethereum: 5 }
const requests = fc.sample(requestsOn(sample, FINALITY), { numRuns: 2000, seed: 7 })

const filters = (['user-events', 'token-events'] as const).flatMap(endpoint =>
  filtersOf(endpoint).map(name => [endpoint, name] as const),
)

test.each(filters)('random requests of %s have %s, and match something with it', (endpoint, name) => {
  const having = requests.filter(
    request => request.endpoint === endpoint && valuesOf(request.query, name).length > 0,
  )

  expect(having.some(request => validAnswer(sample, request, FINALITY).all.length > 0)).toBe(true)
})
