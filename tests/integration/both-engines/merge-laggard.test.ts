import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { serveEvents } from '../../support/http/serve-events.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

function eventAt(network: EventRecord['network'], blockNumber: number, logIndex: number): EventRecord {
  const hash = `0x${String(blockNumber).padStart(64, '0')}`
  const createdAt = new Date(Date.UTC(2023, 5, 1, 12, 0, blockNumber)).toISOString()
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
