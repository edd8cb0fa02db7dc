import { ponder } from 'ponder:registry'
import { event as events, participation, tokenHistory } from 'ponder:schema'

const KINDS = ['Minted', 'MintedBatch', 'TransferSingle', 'TransferBatch', 'OwnershipTransferred'] as const
const ROLES = [
  'creator',
  'initialOwner',
  'owner',
  'operator',
  'from',
  'to',
  'previousOwner',
  'newOwner',
] as const

/** The parameters of an event. Each has the name of its column, except the id and the quantity of a single token. */
interface Parameters extends Partial<typeof events.$inferInsert> {
  tokenId?: bigint
  quantity?: bigint
}

for (const kind of KINDS) {
  ponder.on(`Collectibles:${kind}`, async ({ event, context }) => {
    const { id, block, log, transaction } = event
    const { tokenId, quantity, ...own } = event.args as Parameters
    const tokenIds = tokenId === undefined ? own.tokenIds : [tokenId]
    const quantities = quantity === undefined ? own.quantities : [quantity]
    const timestamp = Number(block.timestamp)
    await context.db.insert(events).values({
      ...own,
      id,
      kind,
      network: context.chain.name,
      address: log.address,
      blockNumber: Number(block.number),
      blockHash: block.hash,
      transactionHash: transaction.hash,
      logIndex: log.logIndex,
      timestamp,
      tokenIds,
      quantities,
    })
    const users = new Set(ROLES.flatMap(role => own[role] ?? []))
    const rows = [...users].map(user => ({ user, eventId: id, timestamp }))
    await context.db.insert(participation).values(rows)
    const ids = [...new Set(tokenIds)].map(tokenId => ({ address: log.address, tokenId, eventId: id }))
    if (ids.length > 0) await context.db.insert(tokenHistory).values(ids)
  })
}
