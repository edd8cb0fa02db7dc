import { isDeepStrictEqual } from 'node:util'
import { createEventsClient, NotIndexedYetError } from '../../../lib/client/create-events-client.ts'
import type { TokenQuery } from '../../../lib/client/query.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import type { Random } from '../../support/records/random.ts'
import { CONTRACTS, USERS } from '../outside/log-pool.ts'
import { SERVICE_URL } from '../outside/sim-service.ts'
import { breach, count, type Job, type SimNetwork, startJob, type World } from '../world.ts'

const NEVER_TRUE = 'No answer contains an event that was never on a chain, or one twice.'
const LACKS = 'An answer to minBlock lacks no event up to that block.'

/** Starts a caller that reads all pages of a question, with or without `minBlock`, and checks what it gets. */
export function startCaller(world: World, network: SimNetwork, random: Random): Job {
  const { chain } = network
  const final = chain.finalized().number
  const block = random.pick(chain.blocks.filter(({ number }) => number <= final).slice(-12))
  const event = block.events.length > 0 ? random.pick(block.events) : undefined
  const filter: TokenQuery = random.pick<TokenQuery>([
    {},
    { address: random.pick(CONTRACTS) },
    { user: random.pick(USERS) },
    { blockNumber: block.number <= 100_000_000 ? block.number : undefined },
    { transactionHash: event?.transactionHash },
    { fromBlock: block.number - 5, toBlock: block.number },
    { to: random.pick(USERS), event: ['TransferSingle', 'TransferBatch'] },
  ])
  const hasMinBlock = network.isIndexed && random.chance(0.7)
  const query: TokenQuery = {
    ...filter,
    network: network.network,
    limit: 1 + random.below(30),
    createdAt: random.pick(['asc', 'desc'] as const),
    ...(hasMinBlock && { minBlock: `${network.network}:${block.number}` as never }),
  }
  return startJob(world, {
    kind: 'caller',
    name: 'caller',
    work: async job => {
      const client = createEventsClient(SERVICE_URL, { retries: 1 })
      const { scope } = world.table.checkpoints().get(network.network) ?? {}
      const records: EventRecord[] = []
      try {
        for await (const record of client.eachTokenEvent(query, { signal: job.stop.signal }))
          records.push(record as unknown as EventRecord)
      } catch (error) {
        if (error instanceof NotIndexedYetError) return count(world, 'answers that were not indexed yet')
        throw error
      }
      count(world, hasMinBlock ? 'walks at a block' : 'walks')
      const asked = JSON.stringify(query)
      if (new Set(records.map(({ id, blockHash }) => `${id} ${blockHash}`)).size < records.length)
        breach(world, NEVER_TRUE, `${asked}: an event came twice`)
      for (const record of records) {
        const truth = chain.everSeen.get(`${record.id} ${record.blockHash}`)
        if (!world.life.isDamaged && (!truth || !isDeepStrictEqual({ ...truth }, { ...record })))
          breach(world, NEVER_TRUE, `${asked}: ${JSON.stringify(record)}`)
      }
      const { scope: scopeAfter } = world.table.checkpoints().get(network.network) ?? {}
      if (!hasMinBlock || world.life.isDamaged || !isDeepStrictEqual(scope, scopeAfter) || !scope) return
      const found = new Set(records.map(({ id, blockHash }) => `${id} ${blockHash}`))
      for (const { events, number } of chain.blocks)
        for (const wanted of events) {
          const isAskedFor =
            number <= block.number &&
            number >= scope.fromBlock &&
            (scope.contracts === 'any' || scope.contracts.includes(wanted.address)) &&
            matches(wanted, filter)
          if (isAskedFor && !found.has(`${wanted.id} ${wanted.blockHash}`))
            breach(world, LACKS, `${asked}: ${wanted.id} of block ${number}`)
        }
    },
  })
}

function matches(record: EventRecord, filter: TokenQuery): boolean {
  const { address, user, blockNumber, transactionHash, fromBlock, toBlock, to, event } = filter
  return (
    (address === undefined || record.address === address) &&
    (user === undefined || hasUser(record, user)) &&
    (blockNumber === undefined || record.blockNumber === blockNumber) &&
    (transactionHash === undefined || record.transactionHash === transactionHash) &&
    (fromBlock === undefined || record.blockNumber >= Number(fromBlock)) &&
    (toBlock === undefined || record.blockNumber <= Number(toBlock)) &&
    (to === undefined || ('to' in record && record.to === to)) &&
    (event === undefined || [event].flat().includes(record.event))
  )
}
