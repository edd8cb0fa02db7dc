import { type Context, type Event, type EventNames, ponder } from 'ponder:registry'
import { event as events, participation, tokenHistory } from 'ponder:schema'
import type { Address } from 'viem'

ponder.on('Collectibles:Minted', async ({ event, context }) => {
  const { creator, initialOwner, bucketHash, tokenId, quantity } = event.args
  await store({ event, context }, 'Minted', [creator, initialOwner], {
    creator,
    initialOwner,
    bucketHash,
    tokenIds: [tokenId],
    quantities: [quantity],
  })
})

ponder.on('Collectibles:MintedBatch', async ({ event, context }) => {
  const { token, owner, tokenIds, quantities } = event.args
  await store({ event, context }, 'MintedBatch', [owner], {
    token,
    owner,
    tokenIds: [...tokenIds],
    quantities: [...quantities],
  })
})

ponder.on('Collectibles:TransferSingle', async ({ event, context }) => {
  const { operator, from, to, id, value } = event.args
  await store({ event, context }, 'TransferSingle', [operator, from, to], {
    operator,
    from,
    to,
    tokenIds: [id],
    quantities: [value],
  })
})

ponder.on('Collectibles:TransferBatch', async ({ event, context }) => {
  const { operator, from, to, ids, values } = event.args
  await store({ event, context }, 'TransferBatch', [operator, from, to], {
    operator,
    from,
    to,
    tokenIds: [...ids],
    quantities: [...values],
  })
})

ponder.on('Collectibles:OwnershipTransferred', async ({ event, context }) => {
  const { previousOwner, newOwner } = event.args
  await store({ event, context }, 'OwnershipTransferred', [previousOwner, newOwner], {
    previousOwner,
    newOwner,
  })
})

interface Happening {
  event: Event<EventNames>
  context: Context
}

async function store(
  { event, context }: Happening,
  kind: string,
  users: Address[],
  own: Partial<typeof events.$inferInsert>,
) {
  const { id, block, log, transaction } = event
  await context.db.insert(events).values({
    id,
    kind,
    network: context.chain.name,
    address: log.address,
    blockNumber: Number(block.number),
    blockHash: block.hash,
    transactionHash: transaction.hash,
    logIndex: log.logIndex,
    timestamp: Number(block.timestamp),
    ...own,
  })
  const timestamp = Number(block.timestamp)
  const rows = [...new Set(users)].map(user => ({ user, eventId: id, timestamp }))
  await context.db.insert(participation).values(rows)
  const ids = [...new Set(own.tokenIds)].map(tokenId => ({ address: log.address, tokenId, eventId: id }))
  if (ids.length > 0) await context.db.insert(tokenHistory).values(ids)
}
