import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { serveEvents } from '../../support/http/serve-events.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const ADDRESS = `0x${'a'.repeat(40)}`

function makeEvent(network: EventRecord['network'], blockNumber: number, logIndex: number): EventRecord {
  const hash = `0x${String(blockNumber).padStart(64, '0')}`
  return {
    id: `${network}:${hash}:${logIndex}`,
    event: 'OwnershipTransferred',
    network,
    address: ADDRESS,
    blockNumber,
    blockHash: hash,
    transactionHash: hash,
    logIndex,
    createdAt: new Date(Date.UTC(2023, 5, 1, 12, 0, blockNumber)).toISOString(),
    previousOwner: ADDRESS,
    newOwner: ADDRESS,
  }
}

test('a merge by block reads the network that it waits for, beside another one whose block is crowded', async () => {
  const { store } = await serveEvents(engine, [
    ...Array.from({ length: 600 }, (_, index) => makeEvent('base', 12, index)),
    ...Array.from({ length: 90 }, (_, index) => makeEvent('ethereum', 20, index)),
    makeEvent('ethereum', 12, 0),
    makeEvent('ethereum', 11, 0),
    makeEvent('bnb-chain', 12, 0),
    makeEvent('bnb-chain', 12, 1),
  ])
  const parameters = Object.entries({ blockNumber: 'desc', skip: '84', limit: '5' })
  const page = await answerQuery({ endpoint: 'token-events', parameters }, { store })

  expect(page.isPartial).toBe(false)
  expect(page.ledger.roundTrips).toBeLessThanOrEqual(6)
})
