import { index, onchainTable, primaryKey } from 'ponder'

/** The id is Ponder's own of the event: ids are ordered as the chain's events are. */
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

/** Who takes part in an event, in whichever roles: once each. */
export const participation = onchainTable(
  'participation',
  t => ({ user: t.hex().notNull(), eventId: t.text().notNull(), timestamp: t.integer().notNull() }),
  table => ({
    pk: primaryKey({ columns: [table.user, table.eventId] }),
    byTime: index().on(table.user, table.timestamp, table.eventId),
  }),
)

/** Which ids of a contract an event is about: once each. */
export const tokenHistory = onchainTable(
  'token_history',
  t => ({ address: t.hex().notNull(), tokenId: t.bigint().notNull(), eventId: t.text().notNull() }),
  table => ({ pk: primaryKey({ columns: [table.address, table.tokenId, table.eventId] }) }),
)
