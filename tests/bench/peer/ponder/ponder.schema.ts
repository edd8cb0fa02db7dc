import { index, onchainTable, primaryKey } from 'ponder'

/** The ids are Ponder's own event ids, in the order of the chain. */
export const event = onchainTable(
  'event',
  t => ({
    id: t.text().primaryKey(),
    kind: t.text().notNull(),
    network: t.text().notNull(),
    address: t.hex().notNull(),
    blockNumber: t.integer().notNull(),
    blockHash: t.hex().notNull(),
    transactionHash: t.hex().notNull(),
    logIndex: t.integer().notNull(),
    timestamp: t.integer().notNull(),
    creator: t.hex(),
    initialOwner: t.hex(),
    bucketHash: t.text(),
    token: t.hex(),
    owner: t.hex(),
    operator: t.hex(),
    from: t.hex(),
    to: t.hex(),
    previousOwner: t.hex(),
    newOwner: t.hex(),
    tokenIds: t.bigint().array(),
    quantities: t.bigint().array(),
  }),
  table => ({
    byAddress: index().on(table.address, table.id),
    byKind: index().on(table.kind, table.id),
  }),
)

export const participation = onchainTable(
  'participation',
  t => ({ user: t.hex().notNull(), eventId: t.text().notNull(), timestamp: t.integer().notNull() }),
  table => ({
    pk: primaryKey({ columns: [table.user, table.eventId] }),
    byTime: index().on(table.user, table.timestamp, table.eventId),
  }),
)

export const tokenHistory = onchainTable(
  'token_history',
  t => ({ address: t.hex().notNull(), tokenId: t.bigint().notNull(), eventId: t.text().notNull() }),
  table => ({ pk: primaryKey({ columns: [table.address, table.tokenId, table.eventId] }) }),
)
