/** The kind of values in a column. Each database has its own type for each kind. */
export type ColumnType = 'text' | 'integer' | 'time' | 'json' | 'tokenId' | 'quantity' | 'balance'

/** A table of the copy, which is the same in every kind of database. */
export interface CopyTable {
  name: string
  columns: Record<string, ColumnType>
  key: readonly string[]
  /** Whether rows have few columns outside the key. If so, SQLite stores the table without row ids. */
  isNarrow?: boolean
  /** The columns of each index, by index name. The indexes are created at the end of the first fill. */
  indexes?: Record<string, readonly string[]>
}

/** Increase this with every change to tables or indexes. Copies with another layout need `--rebuild`. */
export const LAYOUT = 2

export const EVENTS = {
  name: 'events',
  columns: {
    id: 'text',
    event: 'text',
    network: 'text',
    address: 'text',
    block_number: 'integer',
    block_hash: 'text',
    transaction_hash: 'text',
    log_index: 'integer',
    created_at: 'time',
    record: 'json',
  },
  key: ['id'],
  indexes: {
    events_by_time: ['created_at', 'block_number', 'network', 'log_index'],
    events_by_contract: ['address', 'created_at'],
  },
} as const satisfies CopyTable

/** A batch may contain the same token id more than once, so the position in the batch is part of the key. */
export const TRANSFERS = {
  name: 'transfers',
  columns: {
    event_id: 'text',
    position: 'integer',
    network: 'text',
    address: 'text',
    token_id: 'tokenId',
    from_address: 'text',
    to_address: 'text',
    operator: 'text',
    quantity: 'quantity',
    block_number: 'integer',
    log_index: 'integer',
    created_at: 'time',
  },
  key: ['event_id', 'position'],
  indexes: {
    transfers_by_sender: ['from_address', 'created_at'],
    transfers_by_receiver: ['to_address', 'created_at'],
    transfers_by_token: ['address', 'token_id', 'created_at'],
  },
} as const satisfies CopyTable

export const BALANCES = {
  name: 'balances',
  columns: { network: 'text', address: 'text', token_id: 'tokenId', owner: 'text', quantity: 'balance' },
  key: ['network', 'address', 'token_id', 'owner'],
  isNarrow: true,
  indexes: { balances_by_owner: ['owner'] },
} as const satisfies CopyTable

/** A table with one row: the copy's source (service and scope), layout and cursor. */
export const FEED = {
  name: 'feed',
  columns: { source: 'text', layout: 'integer', cursor: 'text' },
  key: ['source'],
} as const satisfies CopyTable

export const CONTENT: readonly CopyTable[] = [EVENTS, TRANSFERS, BALANCES]

export const indexesOf = ({ indexes = {} }: CopyTable): [name: string, columns: readonly string[]][] =>
  Object.entries(indexes)
