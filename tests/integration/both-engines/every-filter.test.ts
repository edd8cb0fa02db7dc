import type { EventRecord } from '../../../lib/events/record.ts'
import { type FilterName, filterOf } from '../../../lib/query/filters.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { expectPages } from '../../support/oracle/expect-pages.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import {
  type ApiRequest,
  type Endpoint,
  queryOf,
  tokenEvents,
  userEvents,
} from '../../support/requests/api-request.ts'
import { filtersOf, valuesIn } from '../../support/requests/values-in.ts'
import { useEngine } from '../../support/store/engine.ts'

/** These tests fail if the service ignores a filter, or if the oracle does not know the filter. */
const engine = useEngine()
const records = eventSetOf({ blocks: 12, events: 4 }, 5)
const LIMIT: [string, string] = ['limit', '500']
const finality = { base: 12, polygon: 8, ethereum: 5 }
const ORDERS: [string, string][][] = [[], queryOf('blockNumber=asc&format=csv')]

const served = useServedEvents(engine, records, { finality })

type Given = [name: FilterName, value: string]

/** A value with which the filter matches this record, or undefined if there is none. */
const valueIn = (record: EventRecord, name: FilterName): string | undefined => valuesIn(record, name)[0]

/** The parameters that these filters require, each with a value from an event that the requiring filter matches. */
function needed(given: Given[]): Given[] {
  return given.flatMap(([name, value]) => {
    const needs = filterOf(name).needs as FilterName | undefined
    if (needs === undefined || given.some(([other]) => other === needs)) return []
    const host = records.find(record => valueIn(record, name) === value)
    return host ? [[needs, valueIn(host, needs) ?? '']] : []
  })
}

/** The orders alternate, so that each filter is tried in each order. */
function requestFor(endpoint: Endpoint, asked: Given[], order = 0): ApiRequest {
  const user = valueIn(records[0] as EventRecord, 'user') ?? ''
  const query = [...asked, ...needed(asked), ...(ORDERS[order % ORDERS.length] ?? []), LIMIT]
  return endpoint === 'user-events' ? userEvents(user, query) : tokenEvents(query)
}

/**
 * Expects the service to answer as the oracle does. Returns no records if both reject the request, for example for a
 * span that ends before it starts.
 */
async function expectSame(request: ApiRequest): Promise<EventRecord[]> {
  const expected = answer(records, request, finality)
  const page = await served.ask(request, 'http-api')
  expect(page.status).toBe(expected.status)
  if (expected.status !== 200) return []
  expectPages([page], { records: expected.events, format: expected.format })
  expect(page.headers['x-unmatchable']).toBe(expected.unmatchable.join(', ') || undefined)
  return expected.events
}

describe.each<Endpoint>(['user-events', 'token-events'])('%s applies', endpoint => {
  test.each(filtersOf(endpoint))('%s, which leaves some events and not all', async name => {
    const everything = await expectSame(requestFor(endpoint, []))
    const values = new Set(everything.flatMap(record => valueIn(record, name) ?? []))
    const counts: number[] = []
    for (const [index, value] of [...values].entries()) {
      counts.push((await expectSame(requestFor(endpoint, [[name, value]], index))).length)
    }
    expect(counts.length).toBeGreaterThan(0)
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(Math.min(...counts)).toBeLessThan(everything.length)
  })

  const names = filtersOf(endpoint)
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map(other => [one, other] as const))
  test.each(pairs)('%s with %s', async (one, other) => {
    const both = records.filter(record => valueIn(record, one) && valueIn(record, other))
    const sources = [...both.slice(0, 2).map(record => [record, record] as const), ...mixed(one, other)]
    expect(sources.length).toBeGreaterThan(0)
    for (const [index, [first, second]] of sources.entries()) {
      const given: Given[] = [
        [one, valueIn(first, one) ?? ''],
        [other, valueIn(second, other) ?? ''],
      ]
      await expectSame(requestFor(endpoint, given, index))
    }
  })
})

/** The first event has a value of the filter `one`, and the second event has a value of the filter `other`. */
function mixed(one: FilterName, other: FilterName): [EventRecord, EventRecord][] {
  const first = records.find(record => valueIn(record, one))
  const second = records.findLast(record => valueIn(record, other))
  return first && second ? [[first, second]] : []
}
