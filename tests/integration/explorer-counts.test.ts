import { createEventsClient, type EventRecord } from '../../lib/client/create-events-client.ts'
import { askTotal } from '../../lib/site/explorer/activity/ask-page.ts'
import { activityOf } from '../../lib/site/explorer/activity/read-activity.ts'
import { countEvents } from '../../lib/site/explorer/occurrence/count-events.ts'
import { occurrencesOf } from '../../lib/site/explorer/occurrence/occurrences-of.ts'
import { type Question, readQuestion, withParameters } from '../../lib/site/explorer/question/question.ts'
import {
  hasRelation,
  relationFilters,
  relationsOf,
  withRelation,
} from '../../lib/site/explorer/question/relation-filters.ts'
import { requestOf } from '../../lib/site/explorer/question/request-of.ts'
import { listenWith } from '../support/http/listen.ts'
import { serveEvents } from '../support/http/serve-events.ts'
import { ADDRESS_POOL } from '../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { listOf } from '../support/runner/list-of.ts'
import { useStops } from '../support/runner/use-started.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const stopLater = useStops()

const ZERO = ADDRESS_POOL[0]
const [ALICE, TOKEN, OTHER] = [ADDRESS_POOL[1], ADDRESS_POOL[2], ADDRESS_POOL[3]]
const LINES = [
  '',
  'event=TransferSingle,TransferBatch',
  `wallet=${ALICE}`,
  `wallet=${TOKEN.toUpperCase().replace('0X', '0x')}`,
  `wallet=${ZERO}`,
  `wallet=${ALICE}&address=${TOKEN}`,
  `wallet=${ALICE}&event=Minted,MintedBatch,OwnershipTransferred`,
  `address=${TOKEN}&tokenId=0x1`,
  `address=${TOKEN},${OTHER}&tokenId=1`,
]

/** For each of the page's relations, the values that a transfer's user fields must have. */
const ROLES: Record<string, (wallet: string | undefined) => Record<string, string | undefined>> = {
  Received: wallet => ({ to: wallet }),
  Sent: wallet => ({ from: wallet }),
  Minted: wallet => ({ from: ZERO, ...(wallet && { to: wallet }) }),
  Burned: wallet => ({ to: ZERO, ...(wallet && { from: wallet }) }),
  Operated: wallet => ({ operator: wallet }),
}
const USERS = ['creator', 'initialOwner', 'operator', 'from', 'to', 'previousOwner', 'newOwner']

/** Counts the records with each value, without using the page's code. */
const countBy = (records: readonly EventRecord[], valuesOf: (record: EventRecord) => unknown[]) => {
  const values = records.flatMap(record => [...new Set(valuesOf(record))]).map(String)
  return Object.fromEntries(
    [...Map.groupBy(values, value => value)].map(([value, all]) => [value, all.length]),
  )
}

describe.each([3, 14, 159])('of random events (%i)', seed => {
  let client: ReturnType<typeof createEventsClient>

  beforeAll(async () => {
    const { store } = await serveEvents(engine, eventSetOf({ blocks: 3, events: 20 }, seed))
    client = createEventsClient(stopLater(await listenWith(store)).baseUrl)
  })

  function readAll(question: Question): Promise<EventRecord[]> {
    const { endpoint, address, query } = requestOf(question, { limit: 500 })
    const isOfUser = endpoint === 'user-events'
    return listOf(isOfUser ? client.eachUserEvent(address, query) : client.eachTokenEvent(query))
  }

  const totalOf = async (question: Question) =>
    (await askTotal(requestOf(question), { client, signal: new AbortController().signal })).count

  test.each(LINES)('the summary, the chips, the chart and the rows of "%s" say the same', async line => {
    const question = readQuestion(line)
    const records = await readAll(question)
    const counts = countEvents(records, question)
    const wallet = question.wallet?.toLowerCase()
    const filters = relationFilters(question)
    expect(records).not.toEqual([])

    expect(Object.fromEntries(counts.kinds)).toEqual(countBy(records, ({ event }) => [event]))
    expect(Object.fromEntries(counts.networks)).toEqual(countBy(records, ({ network }) => [network]))
    expect(Object.fromEntries(counts.contracts)).toEqual(countBy(records, ({ address }) => [address]))
    const users = countBy(records, record =>
      Object.entries(record).flatMap(([name, value]) =>
        USERS.includes(name) || (name === 'owner' && record.event === 'MintedBatch') ? [value] : [],
      ),
    )
    for (const left of [ZERO, wallet ?? '']) delete users[left]
    expect(Object.fromEntries(counts.parties)).toEqual(users)

    // A relation's chip must lead to as many events as the summary and the badges count for the relation.
    const badges = occurrencesOf(records).flatMap(occurrence =>
      occurrence.records.flatMap(record => relationsOf(record, filters)),
    )
    const isSupply = (name: string) => ['Minted', 'Burned'].includes(name)
    expect(filters.map(({ name }) => name)).toEqual(
      Object.keys(ROLES).filter(name => (isSupply(name) ? wallet !== ZERO : wallet !== undefined)),
    )
    for (const filter of filters) {
      const roles = Object.entries(ROLES[filter.name]?.(wallet) ?? {})
      const expected = records.filter(record =>
        roles.every(([role, user]) => 'operator' in record && Object(record)[role] === user),
      ).length

      expect([filter.name, await totalOf(withRelation(question, filter))]).toEqual([filter.name, expected])
      expect([filter.name, new Map(counts.relations).get(filter.name) ?? 0]).toEqual([filter.name, expected])
      const shown = badges.filter(name => name === filter.name)
      expect([filter.name, shown.length]).toEqual([filter.name, expected])
      expect(filters.filter(each => hasRelation(withRelation(question, filter), each))).toEqual([filter])
    }

    const bars = activityOf(records)?.bars ?? []
    for (const [kind, times] of counts.kinds) {
      const drawn = bars.reduce((sum, bar) => sum + (bar.counts.get(kind) ?? 0), 0)

      expect([kind, bars.length === 0 ? times : drawn]).toEqual([kind, times])
      expect([kind, await totalOf(withParameters(question, { event: [kind] }))]).toEqual([kind, times])
    }
  })

  test('units are those that transfers moved, and tokens of two contracts are two tokens', async () => {
    const question = readQuestion(`address=${TOKEN},${OTHER}&tokenId=1`)
    const units: Record<string, [bigint, bigint]> = {}
    for (const record of await readAll(question)) {
      if (!('operator' in record)) continue
      const key = `${record.network} ${record.address}`
      const sums: [bigint, bigint] = units[key] ?? [0n, 0n]
      units[key] = sums
      for (const [at, id] of record.tokenIds.entries()) {
        const quantity = id === '1' ? BigInt(record.quantities[at] ?? '') : 0n
        if (record.from === ZERO) sums[0] += quantity
        if (record.to === ZERO) sums[1] += quantity
      }
    }
    const { tokens } = countEvents(await readAll(question), question)

    const counted = tokens.map(each => [`${each.network} ${each.address}`, [each.minted, each.burned]])
    expect(Object.fromEntries(counted)).toEqual(units)
  })
})
