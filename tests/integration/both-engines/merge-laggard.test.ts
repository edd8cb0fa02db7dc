import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { noCost } from '../../../lib/query/request-cost.ts'
import { serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { walkAnswers } from '../../support/query/walk-answers.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

function eventAt(network: Network, blockNumber: number, logIndex: number, second = blockNumber): EventRecord {
  const hash = `0x${String(blockNumber).padStart(64, '0')}`
  const createdAt = new Date(Date.UTC(2023, 5, 1, 12, 0, second)).toISOString()
  const block = { network, blockNumber, blockHash: hash, transactionHash: hash, createdAt }
  return makeEvent('OwnershipTransferred', { ...block, logIndex })
}

test('a merge by block reads the network that it waits for, beside another one whose block is crowded', async () => {
  const { store } = await serveEvents(engine, [
    ...Array.from({ length: 600 }, (_, index) => eventAt('base', 12, index)),
    ...Array.from({ length: 90 }, (_, index) => eventAt('ethereum', 20, index)),
    eventAt('ethereum', 12, 0),
    eventAt('ethereum', 11, 0),
    eventAt('bnb-chain', 12, 0),
    eventAt('bnb-chain', 12, 1),
  ])
  const parameters = Object.entries({ blockNumber: 'desc', skip: '84', limit: '5' })
  const page = await answerQuery({ endpoint: 'token-events', parameters }, { store })

  expect(page.isPartial).toBe(false)
  expect(page.cost.roundTrips).toBeLessThanOrEqual(6)
})

test('a walk through a crowded transaction goes on where it was when a page first sends minBlock', async () => {
  const crowded = Array.from({ length: 200 }, (_, index) => eventAt('base', 12, index))
  const { store } = await serveEvents(engine, crowded)
  const { transactionHash } = eventAt('base', 12, 0)
  const ask = (parameters: Record<string, string>, options = {}) => {
    const all = Object.entries({ transactionHash, blockNumber: 'asc', limit: '1', ...parameters })
    return answerQuery({ endpoint: 'token-events', parameters: all }, { store, ...options })
  }
  const { next = '' } = await ask({ limit: '150' })
  const indexed = [{ network: 'base', blockNumber: 12, timestamp: 0, notes: [] }] as const
  const checkpoints = { written: new Set(['base']), indexed, cost: noCost() }
  const page = await ask({ cursor: next, minBlock: 'base:12' }, { checkpoints })

  expect(page.records.map(({ logIndex }) => logIndex)).toEqual([150])
  expect(page.isPartial).toBe(false)
  expect(page.cost.roundTrips).toBeLessThanOrEqual(6)
})

const crowd = (network: Network, blockNumber: number, second: number) =>
  Array.from({ length: 300 }, (_, index) => eventAt(network, blockNumber, index, second))

const crowded = useServedEvents(engine, [
  eventAt('base', 11, 0, 1),
  ...crowd('base', 12, 2),
  ...crowd('ethereum', 20, 2),
  ...crowd('arbitrum', 30, 2),
  eventAt('polygon', 40, 5, 2),
  eventAt('base', 13, 0, 3),
])

test.each(['asc', 'desc'])(
  'a walk by time (%s) reads the network that it waits for, beside others in the same second',
  async createdAt => {
    const request = tokenEvents(`createdAt=${createdAt}&limit=100`)
    const pages = await walkAnswers(request, () => ({ store: crowded.store }))

    expect(pages.map(({ records }) => records.length)).toEqual([...Array(9).fill(100), 3])
    expect(Math.max(...pages.map(({ cost }) => cost.roundTrips))).toBeLessThanOrEqual(6)
  },
)
